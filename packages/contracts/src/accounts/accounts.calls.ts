import { call } from '../call-contract.js';

/**
 * The operations on accounts, cashboxes and balances.
 * @source docs/financial-integration-api.md, Catalog, accounts, balances; docs/contract.md, section 9
 */
export const accountsCalls = {
  listAccounts: call({
    name: 'listAccounts',
    resource: 'accounts',
    method: 'GET',
    path: '/accounts',
    scopes: ['accounts:read'],
  }),
  listCashboxes: call({
    name: 'listCashboxes',
    resource: 'accounts',
    method: 'GET',
    path: '/accounts/{accountId}/cashboxes',
    scopes: ['accounts:read'],
  }),
  listBalances: call({
    name: 'listBalances',
    resource: 'accounts',
    method: 'GET',
    path: '/balances',
    scopes: ['balances:read'],
  }),
  createAccount: call({
    name: 'createAccount',
    resource: 'accounts',
    method: 'POST',
    path: '/accounts',
    caller: 'user',
    role: 'admin',
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  updateAccount: call({
    name: 'updateAccount',
    resource: 'accounts',
    method: 'PATCH',
    path: '/accounts/{accountId}',
    caller: 'user',
    role: 'admin',
  }),
  createCashbox: call({
    name: 'createCashbox',
    resource: 'accounts',
    method: 'POST',
    path: '/accounts/{accountId}/cashboxes',
    caller: 'user',
    role: 'admin',
    status: 201,
    errors: ['STATE_CONFLICT'],
  }),
  updateCashbox: call({
    name: 'updateCashbox',
    resource: 'accounts',
    method: 'PATCH',
    path: '/cashboxes/{cashboxId}',
    caller: 'user',
    role: 'admin',
  }),
} as const;
