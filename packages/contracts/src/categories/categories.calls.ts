import { call } from '../call-contract.js';

/**
 * The operations on the categories of the system, of a tracker and of a user.
 * @source docs/financial-integration-api.md, Catalog
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
  // A caller that has neither of the two scopes of `createCategory` is refused at once. The field `scope` of the body determines which of
  // the two is required, so the server checks for that scope after it has read the body (docs/contract.md, section 10a).
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
