import { routes } from '@centavo/contracts';
import { notFound } from '../../api-error.js';
import { type Endpoint, endpoint, loadingEndpoint } from '../../http/endpoint.js';
import type { Effect } from '../../idempotency/audit.queries.js';
import {
  countAccountsForCreate,
  findAccountForUpdate,
  insertAccount,
  listActiveAccounts,
  lockOutWritesOfAccount,
  updateAccount,
} from './accounts.queries.js';
import { decideAccount, decideCashbox, decideNameAndStatus } from './accounts.rules.js';
import {
  type AccountRow,
  type CashboxRow,
  toAccountState,
  toAccountView,
  toBalanceView,
  toCashboxState,
  toCashboxView,
} from './accounts.view.js';
import {
  findCashboxForUpdate,
  insertCashboxes,
  listActiveCashboxes,
  listBalances,
  updateCashbox,
} from './cashboxes.queries.js';

/** The operations on accounts, cashboxes and balances. */
export const accountsEndpoints: readonly Endpoint[] = [
  loadingEndpoint(routes.listAccounts, {
    load: ({ tx, trackerId }) => listActiveAccounts(tx, trackerId),
    handle: async (_, rows) => ({ data: rows.map(toAccountView) }),
  }),

  loadingEndpoint(routes.listCashboxes, {
    load: ({ tx, trackerId, pathParameters: { accountId } }) => listActiveCashboxes(tx, { trackerId, accountId }),
    handle: async (_, rows) => {
      if (rows === undefined) throw notFound();
      return { data: rows.map(toCashboxView) };
    },
  }),

  loadingEndpoint(routes.listBalances, {
    load: ({ tx, trackerId, query: { asOf } }) => listBalances(tx, { trackerId, asOf }),
    handle: async ({ query: { asOf = null } }, rows) => ({ data: rows.map((row) => toBalanceView(row, asOf)) }),
  }),

  endpoint(routes.createAccount, async ({ tx, body, tracker, newId }) => {
    const existing = await countAccountsForCreate(tx, { trackerId: tracker.id, accountId: null });
    const plan = decideAccount({ body, trackerCurrencyCode: tracker.currencyCode, existing });
    const { cashboxes: newCashboxes, ...newAccount } = plan;
    const account = await insertAccount(tx, { ...newAccount, trackerId: tracker.id, id: newId() });
    const cashboxes = await insertCashboxes(tx, {
      trackerId: tracker.id,
      accountId: account.id,
      cashboxes: newCashboxes.map((cashbox) => ({ ...cashbox, id: newId() })),
    });
    const created = { ...account, active_cashbox_count: cashboxes.length };
    return {
      data: { ...toAccountView(created), cashboxes: cashboxes.map(toCashboxView) },
      effect: accountEffect('account.created', created),
      furtherEffects: cashboxes.map((cashbox) => cashboxEffect('cashbox.created', cashbox)),
    };
  }),

  endpoint(routes.updateAccount, async ({ tx, body, pathParameters, tracker }) => {
    const key = { trackerId: tracker.id, id: pathParameters.accountId };
    const current = await findAccountForUpdate(tx, key);
    const { change, ...plan } = decideNameAndStatus({ body, current });
    if (current !== undefined && Object.keys(change).length === 0) return { data: toAccountView(current) };
    if (plan.status === 'archived') await lockOutWritesOfAccount(tx, key);
    const row = await updateAccount(tx, { ...key, ...plan });
    return {
      data: toAccountView(row),
      effect: { ...accountEffect('account.updated', row), change },
    };
  }),

  endpoint(routes.createCashbox, async ({ tx, body, pathParameters, tracker, newId }) => {
    const { accountId } = pathParameters;
    const account = await findAccountForUpdate(tx, { trackerId: tracker.id, id: accountId });
    const existing = await countAccountsForCreate(tx, { trackerId: tracker.id, accountId });
    const plan = decideCashbox({ body, account, existing });
    const cashboxes = [{ ...plan, id: newId() }];
    const [row] = await insertCashboxes(tx, { trackerId: tracker.id, accountId, cashboxes });
    if (row === undefined) throw new Error('The insert of a cashbox returned no row');
    return {
      data: toCashboxView(row),
      effect: cashboxEffect('cashbox.created', row),
    };
  }),

  endpoint(routes.updateCashbox, async ({ tx, body, pathParameters, tracker }) => {
    const key = { trackerId: tracker.id, id: pathParameters.cashboxId };
    const current = await findCashboxForUpdate(tx, key);
    const { change, ...plan } = decideNameAndStatus({ body, current });
    if (current !== undefined && Object.keys(change).length === 0) return { data: toCashboxView(current) };
    const row = await updateCashbox(tx, { ...key, ...plan });
    return {
      data: toCashboxView(row),
      effect: { ...cashboxEffect('cashbox.updated', row), change },
    };
  }),
];

function accountEffect(action: string, row: AccountRow): Effect {
  return {
    action,
    resourceType: 'account',
    resourceId: row.id,
    trackerId: row.tracker_id,
    state: toAccountState(row),
  };
}

function cashboxEffect(action: string, row: CashboxRow): Effect {
  return {
    action,
    resourceType: 'cashbox',
    resourceId: row.id,
    trackerId: row.tracker_id,
    state: toCashboxState(row),
  };
}
