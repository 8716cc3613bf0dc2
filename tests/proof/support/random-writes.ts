import { randomUUID } from 'node:crypto';
import type { Answer, Call } from '../../acceptance/support/call-api.js';
import { drawBelow, drawFrom } from './draw.js';
import type { Chance } from './seeded-chance.js';

/** A write that may be valid or not. */
export interface RandomWrite {
  readonly methodAndPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object | undefined;
}

/** The records of a tracker that random writes refer to, and the earlier writes with an idempotency key. */
export interface KnownRecords {
  readonly accounts: { readonly id: string; readonly cashboxIds: readonly string[] }[];
  readonly categoryIds: string[];
  readonly movementIds: string[];
  readonly transferIds: string[];
  readonly budgetIds: string[];
  readonly done: RandomWrite[];
}

/** Creates two accounts, one of them with two cashboxes. */
export async function openRecords(call: Call): Promise<KnownRecords> {
  const known: KnownRecords = {
    accounts: [],
    categoryIds: ['cat_unknown'],
    movementIds: [],
    transferIds: [],
    budgetIds: [],
    done: [],
  };
  for (const cashboxes of [['Main'], ['Left', 'Right']]) {
    const body = { name: `Account ${cashboxes}`, type: 'cash', cashboxes: cashboxes.map((name) => ({ name })) };
    addRecords(known, await call('POST /v1/financial/accounts', { body }));
  }
  return known;
}

/** Adds the records in a response to the known records, and also `write` if it has an idempotency key. */
export function addRecords(known: KnownRecords, { data }: Answer, write?: RandomWrite): void {
  if (write !== undefined && 'Idempotency-Key' in write.headers) known.done.push(write);
  if (Array.isArray(data)) {
    for (const item of data) addRecords(known, { data: item.movement ?? item } as Answer);
  } else if (data === null) return;
  else if ('cashboxes' in data) {
    known.accounts.push({ id: data.id, cashboxIds: data.cashboxes.map(({ id }: { id: string }) => id) });
  } else if ('groupId' in data) addOnce(known.transferIds, data.groupId);
  else if ('cashboxId' in data) addOnce(known.movementIds, data.id);
  else if ('lineCount' in data) addOnce(known.budgetIds, data.id);
  else if ('isUnknown' in data) addOnce(known.categoryIds, data.id);
}

function addOnce(ids: string[], id: string): void {
  if (!ids.includes(id)) ids.push(id);
}

/** Returns a random write of any kind. About half of the writes are refused, and some use the key of an earlier write. */
export async function drawWrite(
  chance: Chance,
  { call, known }: { call: Call; known: KnownRecords },
): Promise<RandomWrite> {
  if (known.done.length > 0 && chance.hits(0.08)) {
    const write = drawFrom(chance, known.done);
    const isOther = chance.hits(0.4) && write.body !== undefined;
    return isOther ? { ...write, body: { ...write.body, description: 'another body' } } : write;
  }
  return drawFrom(chance, kinds)(chance, { call, known });
}

type Draw = (chance: Chance, context: { call: Call; known: KnownRecords }) => RandomWrite | Promise<RandomWrite>;

const financial = '/v1/financial';
const amounts = ['1', '12.50', '0.01', '999.99', '1.005', '0', '-3', 'x'] as const;
const dates = [null, '2026-01-31', '2026-02-28', '1890-01-01', '2026-02-30'] as const;
const texts = [null, 'Milk', 'Ñandú 🦤', 'a\u0000b'] as const;
const names = ['Food', 'food', 'Rent', 'Wages', ''] as const;

function post(path: string, body: object | undefined, headers: Record<string, string> = keyed()): RandomWrite {
  return { methodAndPath: `POST ${financial}${path}`, headers, body };
}

function keyed(): Record<string, string> {
  return { 'Idempotency-Key': randomUUID() };
}

function drawMovement(chance: Chance, { accounts, categoryIds }: KnownRecords): Record<string, unknown> {
  const account = drawFrom(chance, accounts);
  const isValid = chance.hits(0.6);
  return {
    type: chance.oneOf(isValid ? ['expense', 'income'] : ['expense', 'income', 'gift']),
    amountDecimal: isValid ? chance.oneOf(['1', '12.50', '0.01']) : drawFrom(chance, amounts),
    accountId: isValid || chance.hits(0.8) ? account.id : randomUUID(),
    cashboxId: chance.hits(0.7) ? drawFrom(chance, account.cashboxIds) : undefined,
    categoryId: chance.hits(0.5) ? drawFrom(chance, categoryIds) : undefined,
    occurredOn: isValid ? undefined : drawFrom(chance, dates),
    description: isValid ? null : drawFrom(chance, texts),
    externalId: chance.hits(0.4) ? `id ${drawBelow(chance, 12)}` : undefined,
  };
}

/** Returns the headers of a write that needs an ETag. The ETag is sometimes stale. */
async function atVersion(chance: Chance, call: Call, path: string): Promise<Record<string, string>> {
  const { headers } = await call(`GET ${financial}${path}`);
  return { ...keyed(), 'If-Match': chance.hits(0.85) ? (headers.get('ETag') ?? '"none"') : '"stale"' };
}

const voidMovement: Draw = async (chance, { call, known }) => {
  const id = drawFrom(chance, [...known.movementIds, randomUUID()]);
  return post(`/movements/${id}/void`, undefined, await atVersion(chance, call, `/movements/${id}`));
};

const voidTransfer: Draw = async (chance, { call, known }) => {
  const id = drawFrom(chance, [...known.transferIds, randomUUID()]);
  return post(`/transfers/${id}/void`, {}, await atVersion(chance, call, `/transfers/${id}`));
};

const correct: Draw = async (chance, { call, known }) => {
  const id = drawFrom(chance, [...known.movementIds, randomUUID()]);
  return {
    methodAndPath: `PATCH ${financial}/movements/${id}`,
    headers: await atVersion(chance, call, `/movements/${id}`),
    body: { amountDecimal: drawFrom(chance, amounts), categoryId: drawFrom(chance, [null, ...known.categoryIds]) },
  };
};

const transfer: Draw = (chance, { known }) => {
  const [from, to] = [drawFrom(chance, known.accounts), drawFrom(chance, known.accounts)];
  return post('/transfers', {
    amountDecimal: drawFrom(chance, amounts),
    fromAccountId: from.id,
    fromCashboxId: chance.hits(0.8) ? drawFrom(chance, from.cashboxIds) : undefined,
    toAccountId: to.id,
    toCashboxId: chance.hits(0.8) ? drawFrom(chance, to.cashboxIds) : undefined,
  });
};

const atomic: Draw = (chance, { known }) => {
  const movements = Array.from({ length: 1 + drawBelow(chance, 3) }, () => drawMovement(chance, known));
  return post('/movements/bulk', { mode: chance.oneOf(['atomic', undefined]), movements });
};

const independent: Draw = (chance, { known }) => {
  const movements = Array.from({ length: 1 + drawBelow(chance, 4) }, () => ({
    ...drawMovement(chance, known),
    idempotencyKey: chance.hits(0.97) ? randomUUID() : '',
  }));
  return post('/movements/bulk', { mode: 'independent', movements }, {});
};

const patch =
  (path: (chance: Chance, known: KnownRecords) => string): Draw =>
  (chance, { known }) => ({
    methodAndPath: `PATCH ${financial}${path(chance, known)}`,
    headers: {},
    body: drawFrom<object>(chance, [
      { name: drawFrom(chance, names) },
      {},
      { status: 'archived' },
      { status: 'active' },
    ]),
  });

const kinds: readonly Draw[] = [
  (chance, { known }) => post('/movements', drawMovement(chance, known)),
  (chance, { known }) => post('/movements', drawMovement(chance, known)),
  correct,
  voidMovement,
  voidMovement,
  transfer,
  transfer,
  voidTransfer,
  atomic,
  independent,
  (chance, { known }) =>
    post('/categories', {
      name: `${drawFrom(chance, names)}${drawBelow(chance, 4)}`,
      parentId: chance.hits(0.3) ? drawFrom(chance, known.categoryIds) : undefined,
    }),
  (chance, { known }) =>
    post('/budgets', {
      name: drawFrom(chance, names),
      mode: chance.oneOf(['tracking', 'planning']),
      periodStart: '2026-01-01',
      periodEnd: chance.oneOf(['2026-01-31', '2025-01-31']),
      lines: [{ categoryId: drawFrom(chance, known.categoryIds), plannedDecimal: '5' }],
    }),
  (chance, { known }) =>
    post(`/budgets/${drawFrom(chance, [...known.budgetIds, randomUUID()])}/lines`, {
      categoryId: drawFrom(chance, known.categoryIds),
      type: chance.oneOf(['expense', 'income']),
      plannedDecimal: chance.oneOf(['5', '5.005']),
    }),
  (chance) => post('/accounts', { name: drawFrom(chance, names), type: chance.oneOf(['cash', 'pocket']) }, {}),
  (chance, { known }) =>
    post(`/accounts/${drawFrom(chance, known.accounts).id}/cashboxes`, { name: drawFrom(chance, names) }, {}),
  patch((chance, { accounts }) => `/accounts/${drawFrom(chance, accounts).id}`),
  patch((chance, { accounts }) => `/cashboxes/${drawFrom(chance, drawFrom(chance, accounts).cashboxIds)}`),
];
