import * as z from 'zod';
import { route } from '../route-contract.js';
import { bulkResultRecord, createMovementsBody, movementsBulk } from './bulk-movements.js';
import { movementFilters, summaryFilters } from './movement-filters.js';
import { movementRecord, movementSummaryRecord } from './movement-record.js';
import { correctMovementBody, createMovementBody, voidBody } from './movement-requests.js';
import { movementsCalls } from './movements.calls.js';

/** The routes of movements: the operations in `movementsCalls`, each with the schemas of its query, request body and data. */
export const movementsRoutes = {
  listMovements: route(movementsCalls.listMovements, {
    query: movementFilters,
    data: z.array(movementRecord),
    paginated: true,
  }),
  createMovement: route(movementsCalls.createMovement, {
    body: createMovementBody,
    data: movementRecord,
    versioned: true,
    location: (movement) => `/v1/financial/movements/${movement.id}`,
  }),
  createMovements: route(movementsCalls.createMovements, {
    body: createMovementsBody,
    data: z.union([z.array(movementRecord), z.array(bulkResultRecord)]),
    bulk: movementsBulk,
    location: () => '/v1/financial/movements',
  }),
  summarizeMovements: route(movementsCalls.summarizeMovements, {
    query: summaryFilters,
    data: z.array(movementSummaryRecord),
    // The response also has `meta.summary`.
    summarized: true,
  }),
  getMovement: route(movementsCalls.getMovement, { data: movementRecord, versioned: true }),
  correctMovement: route(movementsCalls.correctMovement, {
    body: correctMovementBody,
    data: movementRecord,
    versioned: true,
  }),
  voidMovement: route(movementsCalls.voidMovement, {
    body: voidBody,
    bodyOptional: true,
    data: movementRecord,
    versioned: true,
  }),
} as const;
