import { call } from '../call-contract.js';

/**
 * Categories of the system, of the tracker and of the user.
 * @source specification, Catalog
 */
export const categoriesCalls = {
  listCategories: call({
    name: 'listCategories',
    resource: 'categories',
    method: 'GET',
    path: '/categories',
    scopes: ['catalog:read'],
  }),
  getCategory: call({
    name: 'getCategory',
    resource: 'categories',
    method: 'GET',
    path: '/categories/{categoryId}',
    scopes: ['catalog:read'],
  }),
  // The caller needs at least one of these scopes. The field `scope` of the body determines which one, so the server checks that after
  // it has read the body (contract, 10a).
  createCategory: call({
    name: 'createCategory',
    resource: 'categories',
    method: 'POST',
    path: '/categories',
    scopes: ['catalog:write:tracker', 'catalog:write:user'],
    idempotency: 'accepted',
    status: 201,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
} as const;
