import { call } from '../call-contract.js';

/** Categories of the system, of the tracker and of the user. Source: specification, Catalog. */
export const categoriesCalls = {
  listCategories: call({
    name: 'listCategories',
    noun: 'categories',
    method: 'GET',
    path: '/categories',
    scopes: ['catalog:read'],
  }),
  getCategory: call({
    name: 'getCategory',
    noun: 'categories',
    method: 'GET',
    path: '/categories/{categoryId}',
    scopes: ['catalog:read'],
  }),
  // Either scope opens the door; the one that the body's `scope` needs is asked once the body is read (contract, 10a).
  createCategory: call({
    name: 'createCategory',
    noun: 'categories',
    method: 'POST',
    path: '/categories',
    scopes: ['catalog:write:tracker', 'catalog:write:user'],
    idempotency: 'accepted',
    status: 201,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
} as const;
