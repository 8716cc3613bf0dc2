import { randomUUID } from 'node:crypto';
import type { Answer, Call } from '../../acceptance/support/call-api.js';
import { drawBelow, drawFrom } from './draw.js';
import type { SeededRandom } from './seeded-random.js';

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
  random: SeededRandom,
  { call, known }: { call: Call; known: KnownRecords },
): Promise<RandomWrite> {
  if (known.done.length > 0 && random.hits(0.08)) {
    const write = drawFrom(random, known.done);
    const isOther = random.hits(0.4) && write.body !== undefined;
    return isOther ? { ...write, body: { ...write.body, description: 'another body' } } : write;
  }
  return drawFrom(random, kinds)(random, { call, known });
}

type Draw = (random: SeededRandom, context: { call: Call; known: KnownRecords }) => RandomWrite | Promise<RandomWrite>;

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

function drawMovement(random: SeededRandom, { accounts, categoryIds }: KnownRecords): Record<string, unknown> {
  const account = drawFrom(random, accounts);
  const isValid = random.hits(0.6);
  return {
    type: random.oneOf(isValid ? ['expense', 'income'] : ['expense', 'income', 'gift']),
    amountDecimal: isValid ? random.oneOf(['1', '12.50', '0.01']) : drawFrom(random, amounts),
    accountId: isValid || random.hits(0.8) ? account.id : randomUUID(),
    cashboxId: random.hits(0.7) ? drawFrom(random, account.cashboxIds) : undefined,
    categoryId: random.hits(0.5) ? drawFrom(random, categoryIds) : undefined,
    occurredOn: isValid ? undefined : drawFrom(random, dates),
    description: isValid ? null : drawFrom(random, texts),
    externalId: random.hits(0.4) ? `id ${drawBelow(random, 12)}` : undefined,
  };
}

/** Returns the headers of a write that needs an ETag. The ETag is sometimes stale. */
async function atVersion(random: SeededRandom, call: Call, path: string): Promise<Record<string, string>> {
  const { headers } = await call(`GET ${financial}${path}`);
  return { ...keyed(), 'If-Match': random.hits(0.85) ? (headers.get('ETag') ?? '"none"') : '"stale"' };
}

const voidMovement: Draw = async (random, { call, known }) => {
  const id = drawFrom(random, [...known.movementIds, randomUUID()]);
  return post(`/movements/${id}/void`, undefined, await atVersion(random, call, `/movements/${id}`));
};

const voidTransfer: Draw = async (random, { call, known }) => {
  const id = drawFrom(random, [...known.transferIds, randomUUID()]);
  return post(`/transfers/${id}/void`, {}, await atVersion(random, call, `/transfers/${id}`));
};

const correct: Draw = async (random, { call, known }) => {
  const id = drawFrom(random, [...known.movementIds, randomUUID()]);
  return {
    methodAndPath: `PATCH ${financial}/movements/${id}`,
    headers: await atVersion(random, call, `/movements/${id}`),
    body: { amountDecimal: drawFrom(random, amounts), categoryId: drawFrom(random, [null, ...known.categoryIds]) },
  };
};

const transfer: Draw = (random, { known }) => {
  const [from, to] = [drawFrom(random, known.accounts), drawFrom(random, known.accounts)];
  return post('/transfers', {
    amountDecimal: drawFrom(random, amounts),
    fromAccountId: from.id,
    fromCashboxId: random.hits(0.8) ? drawFrom(random, from.cashboxIds) : undefined,
    toAccountId: to.id,
    toCashboxId: random.hits(0.8) ? drawFrom(random, to.cashboxIds) : undefined,
  });
};

const atomic: Draw = (random, { known }) => {
  const movements = Array.from({ length: 1 + drawBelow(random, 3) }, () => drawMovement(random, known));
  return post('/movements/bulk', { mode: random.oneOf(['atomic', undefined]), movements });
};

const independent: Draw = (random, { known }) => {
  const movements = Array.from({ length: 1 + drawBelow(random, 4) }, () => ({
    ...drawMovement(random, known),
    idempotencyKey: random.hits(0.97) ? randomUUID() : '',
  }));
  return post('/movements/bulk', { mode: 'independent', movements }, {});
};

const patch =
  (path: (random: SeededRandom, known: KnownRecords) => string): Draw =>
  (random, { known }) => ({
    methodAndPath: `PATCH ${financial}${path(random, known)}`,
    headers: {},
    body: drawFrom<object>(random, [
      { name: drawFrom(random, names) },
      {},
      { status: 'archived' },
      { status: 'active' },
    ]),
  });

const kinds: readonly Draw[] = [
  (random, { known }) => post('/movements', drawMovement(random, known)),
  (random, { known }) => post('/movements', drawMovement(random, known)),
  correct,
  voidMovement,
  voidMovement,
  transfer,
  transfer,
  voidTransfer,
  atomic,
  independent,
  (random, { known }) =>
    post('/categories', {
      name: `${drawFrom(random, names)}${drawBelow(random, 4)}`,
      parentId: random.hits(0.3) ? drawFrom(random, known.categoryIds) : undefined,
    }),
  (random, { known }) =>
    post('/budgets', {
      name: drawFrom(random, names),
      mode: random.oneOf(['tracking', 'planning']),
      periodStart: '2026-01-01',
      periodEnd: random.oneOf(['2026-01-31', '2025-01-31']),
      lines: [{ categoryId: drawFrom(random, known.categoryIds), plannedDecimal: '5' }],
    }),
  (random, { known }) =>
    post(`/budgets/${drawFrom(random, [...known.budgetIds, randomUUID()])}/lines`, {
      categoryId: drawFrom(random, known.categoryIds),
      type: random.oneOf(['expense', 'income']),
      plannedDecimal: random.oneOf(['5', '5.005']),
    }),
  (random) => post('/accounts', { name: drawFrom(random, names), type: random.oneOf(['cash', 'pocket']) }, {}),
  (random, { known }) =>
    post(`/accounts/${drawFrom(random, known.accounts).id}/cashboxes`, { name: drawFrom(random, names) }, {}),
  patch((random, { accounts }) => `/accounts/${drawFrom(random, accounts).id}`),
  patch((random, { accounts }) => `/cashboxes/${drawFrom(random, drawFrom(random, accounts).cashboxIds)}`),
];
