import * as z from 'zod';
import { route } from '../route-contract.js';
import { accountRecord, accountWithCashboxesRecord, balanceRecord, cashboxRecord } from './account-records.js';
import {
  balancesQuery,
  createAccountBody,
  createCashboxBody,
  updateAccountBody,
  updateCashboxBody,
} from './account-requests.js';
import { accountsCalls } from './accounts.calls.js';

export const accountsRoutes = {
  listAccounts: route(accountsCalls.listAccounts, { data: z.array(accountRecord) }),
  listCashboxes: route(accountsCalls.listCashboxes, { data: z.array(cashboxRecord) }),
  listBalances: route(accountsCalls.listBalances, { query: balancesQuery, data: z.array(balanceRecord) }),
  createAccount: route(accountsCalls.createAccount, {
    body: createAccountBody,
    data: accountWithCashboxesRecord,
    location: () => '/v1/financial/accounts',
  }),
  updateAccount: route(accountsCalls.updateAccount, { body: updateAccountBody, data: accountRecord }),
  createCashbox: route(accountsCalls.createCashbox, {
    body: createCashboxBody,
    data: cashboxRecord,
    location: (cashbox) => `/v1/financial/accounts/${cashbox.accountId}/cashboxes`,
  }),
  updateCashbox: route(accountsCalls.updateCashbox, { body: updateCashboxBody, data: cashboxRecord }),
} as const;
