import type { PreparedAccounts } from '../prepared-writes.js';
import type { WireRequest } from './wire-request.js';

/** A valid request before its mutation. */
export interface ValidRequest {
  readonly methodAndPath: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * Returns requests of several kinds: writes with an idempotency key, a correction, a change of the active tracker, a session refresh, reads
 * of records, and lists with filters.
 */
export function validRequests(
  accounts: Pick<PreparedAccounts, 'accountId' | 'otherAccountId' | 'categoryId' | 'budgetId'>,
  records: { readonly movementId: string; readonly trackerId: string },
): readonly [ValidRequest, ...ValidRequest[]] {
  const { accountId, otherAccountId, categoryId, budgetId } = accounts;
  const { movementId, trackerId } = records;
  const period = { periodStart: '2026-01-01', periodEnd: '2026-01-31' };
  const line = { categoryId, plannedDecimal: '10.00', type: 'expense', note: 'x' };
  const movement = { accountId, categoryId, occurredOn: '2026-01-05', currencyCode: 'EUR', description: 'd' };
  return [
    {
      methodAndPath: 'POST /v1/financial/movements',
      body: { type: 'expense', amountDecimal: '12.50', merchantName: 'm', ...movement },
    },
    {
      methodAndPath: 'POST /v1/financial/transfers',
      body: { amountDecimal: '5', fromAccountId: accountId, toAccountId: otherAccountId, occurredOn: '2026-01-05' },
    },
    {
      methodAndPath: `PATCH /v1/financial/movements/${movementId}`,
      headers: { 'If-Match': '"1"' },
      body: { amountDecimal: '2', categoryId: null, description: 'd', merchantName: null },
    },
    { methodAndPath: 'POST /v1/financial/categories', body: { name: 'Food', kind: 'any', scope: 'tracker' } },
    { methodAndPath: 'POST /v1/financial/budgets', body: { name: 'B', mode: 'planning', ...period, lines: [line] } },
    { methodAndPath: `POST /v1/financial/budgets/${budgetId}/lines`, body: line },
    { methodAndPath: 'PUT /v1/financial/context/active-tracker', body: { trackerId } },
    { methodAndPath: 'POST /v1/identity/sessions/refresh', body: { refreshToken: 'nobody has this' } },
    {
      methodAndPath: 'GET /v1/financial/movements',
      query: {
        type: 'expense',
        kind: 'regular',
        from: '2026-01-01',
        to: '2026-01-31',
        accountId,
        categoryId,
        limit: '5',
        offset: '0',
        includeTotal: 'true',
      },
    },
    { methodAndPath: `GET /v1/financial/movements/${movementId}` },
    { methodAndPath: 'GET /v1/financial/budgets', query: { mode: 'tracking', status: 'active' } },
    { methodAndPath: `GET /v1/financial/budgets/${budgetId}` },
    { methodAndPath: 'GET /v1/financial/balances' },
    { methodAndPath: 'GET /v1/financial/context' },
  ];
}

/** Returns a request with the common headers. Unless the request is a GET, it also has the idempotency key `common.key`. */
export function toWire(
  { methodAndPath, query, headers, body }: ValidRequest,
  common: { readonly headers: Readonly<Record<string, string>>; readonly key: string },
): WireRequest {
  const [method = '', path = ''] = methodAndPath.split(' ');
  const allHeaders = {
    ...common.headers,
    ...(method === 'GET' ? {} : { 'Content-Type': 'application/json', 'Idempotency-Key': common.key }),
    ...headers,
  };
  return {
    method,
    target: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
    headers: Object.entries(allHeaders),
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
  };
}
