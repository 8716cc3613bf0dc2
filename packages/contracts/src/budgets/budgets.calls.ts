import { call } from '../call-contract.js';

/**
 * The operations on budgets and their lines.
 * @source docs/financial-integration-api.md, Budgets
 */
export const budgetsCalls = {
  listBudgets: call({
    name: 'listBudgets',
    resource: 'budgets',
    method: 'GET',
    path: '/budgets',
    scopes: ['budgets:read'],
  }),
  getBudget: call({
    name: 'getBudget',
    resource: 'budgets',
    method: 'GET',
    path: '/budgets/{budgetId}',
    scopes: ['budgets:read'],
  }),
  createBudget: call({
    name: 'createBudget',
    resource: 'budgets',
    method: 'POST',
    path: '/budgets',
    scopes: ['budgets:write'],
    idempotency: 'accepted',
    status: 201,
    errors: ['NOT_FOUND', 'STATE_CONFLICT'],
  }),
  addBudgetLine: call({
    name: 'addBudgetLine',
    resource: 'budgets',
    method: 'POST',
    path: '/budgets/{budgetId}/lines',
    scopes: ['budgets:write'],
    idempotency: 'accepted',
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
} as const;
