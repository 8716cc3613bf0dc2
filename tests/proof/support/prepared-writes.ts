import type pg from 'pg';
import type { Answer, Call } from '../../acceptance/support/call-api.js';
import { countEffects, type Effect, type Kind } from './effects.js';

/** A write with an idempotency key that a test is going to send, and the count of its effects. */
export interface PreparedWrite {
  readonly methodAndPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Returns the id of the resource in the response. */
  readonly idOf: (data: Answer['data']) => string;
  /** Returns the path of the record by its id. */
  readonly pathOf: (id: string) => string;
  /** Returns whether a response is a replay. By default `meta.idempotentReplay` determines this. */
  readonly isReplay?: (answer: Answer) => boolean;
  /** A write that was sent before, because this write needs its record. It has its own key. */
  readonly first?: { readonly effect: Effect; readonly marker: string; readonly id: string };
  /** Returns the number of effects in the database, which must be 1. Reads as a superuser, without row-level security. */
  readonly countEffects: (ownerConnection: pg.ClientBase) => Promise<number>;
}

/** The records of a tracker that the writes refer to, and a function that sends requests in this tracker. */
export interface PreparedAccounts {
  readonly call: Call;
  readonly accountId: string;
  readonly otherAccountId: string;
  readonly categoryId: string;
  readonly budgetId: string;
}

/** Creates the two accounts, the category and the budget that the writes need. */
export async function prepareAccounts(call: Call): Promise<PreparedAccounts> {
  const make = async (path: string, body: unknown, key?: string) => {
    const headers: Record<string, string> = key === undefined ? {} : { 'Idempotency-Key': key };
    const { status, data, error } = await call(`POST /v1/financial/${path}`, { headers, body });
    if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(error)}`);
    return data.id as string;
  };
  const period = { periodStart: '2026-03-01', periodEnd: '2026-03-31' };
  return {
    call,
    accountId: await make('accounts', { name: 'Checking', type: 'checking', openingBalanceDecimal: '1000.00' }),
    otherAccountId: await make('accounts', { name: 'Savings', type: 'savings', openingBalanceDecimal: '1000.00' }),
    categoryId: await make('categories', { name: 'Food' }, 'books-category'),
    budgetId: await make('budgets', { name: 'March', mode: 'planning', ...period }, 'books-budget'),
  };
}

/** For each kind of write, a function that prepares one. `marker` is the idempotency key of the write and a text in its body. */
export const operations: Readonly<
  Record<Kind, (accounts: PreparedAccounts, marker: string) => Promise<PreparedWrite>>
> = {
  'an expense': async ({ accountId }, marker) => ({
    methodAndPath: 'POST /v1/financial/movements',
    headers: { 'Idempotency-Key': marker },
    body: { type: 'expense', amountDecimal: '1.00', accountId, description: marker },
    idOf: (data) => data.id,
    pathOf: (id) => `/v1/financial/movements/${id}`,
    countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'an expense', marker }),
  }),
  'a transfer': async ({ accountId, otherAccountId }, marker) => ({
    methodAndPath: 'POST /v1/financial/transfers',
    headers: { 'Idempotency-Key': marker },
    body: { amountDecimal: '2.00', fromAccountId: accountId, toAccountId: otherAccountId, description: marker },
    idOf: (data) => data.groupId,
    pathOf: (id) => `/v1/financial/transfers/${id}`,
    countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'a transfer', marker }),
  }),
  'a correction': async ({ call, accountId }, marker) => {
    const first = `${marker}-first`;
    const { data, headers } = await call('POST /v1/financial/movements', {
      headers: { 'Idempotency-Key': first },
      body: { type: 'income', amountDecimal: '3.00', accountId, merchantName: first },
    });
    return {
      first: { effect: 'an income', marker: first, id: data.id },
      methodAndPath: `PATCH /v1/financial/movements/${data.id}`,
      headers: { 'Idempotency-Key': marker, 'If-Match': headers.get('ETag') ?? '' },
      body: { amountDecimal: '4.00', description: marker },
      idOf: (corrected) => corrected.id,
      pathOf: (id) => `/v1/financial/movements/${id}`,
      countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'a correction', marker }),
    };
  },
  'a category': async (_accounts, marker) => ({
    methodAndPath: 'POST /v1/financial/categories',
    headers: { 'Idempotency-Key': marker },
    body: { name: marker },
    idOf: (data) => data.id,
    pathOf: (id) => `/v1/financial/categories/${id}`,
    countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'a category', marker }),
  }),
  'a budget': async (_accounts, marker) => ({
    methodAndPath: 'POST /v1/financial/budgets',
    headers: { 'Idempotency-Key': marker },
    body: { name: marker, mode: 'tracking', periodStart: '2026-01-01', periodEnd: '2026-01-31' },
    idOf: (data) => data.id,
    pathOf: (id) => `/v1/financial/budgets/${id}`,
    countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'a budget', marker }),
  }),
  'a line of a budget': async (accounts, marker) => {
    const first = await openBudgetFor(accounts, `${marker}-first`);
    const budgetId = first.id;
    return {
      first: { effect: 'a budget', ...first },
      methodAndPath: `POST /v1/financial/budgets/${budgetId}/lines`,
      headers: { 'Idempotency-Key': marker },
      body: { categoryId: accounts.categoryId, plannedDecimal: '5.00', note: marker },
      idOf: (data) => data.id,
      pathOf: () => `/v1/financial/budgets/${budgetId}`,
      countEffects: (ownerConnection) => countEffects(ownerConnection, { kind: 'a line of a budget', marker }),
    };
  },
};

async function openBudgetFor({ call }: PreparedAccounts, marker: string): Promise<{ marker: string; id: string }> {
  const { data, error } = await call('POST /v1/financial/budgets', {
    headers: { 'Idempotency-Key': marker },
    body: { name: marker, mode: 'planning', periodStart: '2026-01-01', periodEnd: '2026-01-31' },
  });
  if (data === null) throw new Error(`Cannot create the budget ${marker}: ${JSON.stringify(error)}`);
  return { marker, id: data.id };
}
