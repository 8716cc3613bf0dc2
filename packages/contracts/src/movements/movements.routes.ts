import * as z from 'zod';
import { route } from '../route-contract.js';
import { movementFilters } from './movement-filters.js';
import { movementRecord } from './movement-record.js';
import { correctMovementBody, createMovementBody } from './movement-requests.js';
import { movementsCalls } from './movements.calls.js';

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
  getMovement: route(movementsCalls.getMovement, { data: movementRecord, versioned: true }),
  correctMovement: route(movementsCalls.correctMovement, {
    body: correctMovementBody,
    data: movementRecord,
    versioned: true,
  }),
} as const;
