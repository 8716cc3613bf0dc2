import { call } from '../call-contract.js';

/**
 * The operations on movements (expenses and incomes).
 * @source docs/financial-integration-api.md, Movements and transfers
 */
export const movementsCalls = {
  listMovements: call({
    name: 'listMovements',
    resource: 'movements',
    method: 'GET',
    path: '/movements',
    scopes: ['movements:read'],
  }),
  createMovement: call({
    name: 'createMovement',
    resource: 'movements',
    method: 'POST',
    path: '/movements',
    scopes: ['movements:write'],
    idempotency: 'required',
    status: 201,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  createMovements: call({
    name: 'createMovements',
    resource: 'movements',
    method: 'POST',
    path: '/movements/bulk',
    scopes: ['movements:write'],
    idempotency: 'by_mode',
    status: 201,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  // This operation must precede getMovement, because the path parameter of getMovement would also match `summary`.
  summarizeMovements: call({
    name: 'summarizeMovements',
    resource: 'movements',
    method: 'GET',
    path: '/movements/summary',
    scopes: ['movements:read'],
  }),
  getMovement: call({
    name: 'getMovement',
    resource: 'movements',
    method: 'GET',
    path: '/movements/{movementId}',
    scopes: ['movements:read'],
  }),
  correctMovement: call({
    name: 'correctMovement',
    resource: 'movements',
    method: 'PATCH',
    path: '/movements/{movementId}',
    scopes: ['movements:write'],
    idempotency: 'required',
    ifMatch: 'required',
    errors: ['STATE_CONFLICT'],
  }),
  voidMovement: call({
    name: 'voidMovement',
    resource: 'movements',
    method: 'POST',
    path: '/movements/{movementId}/void',
    scopes: ['movements:write'],
    idempotency: 'required',
    ifMatch: 'required',
    errors: ['STATE_CONFLICT'],
  }),
} as const;
