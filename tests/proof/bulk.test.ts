import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { drawBelow } from './support/draw.js';
import { isLate, isLong, proofSeed, recordProof, shareMs } from './support/proof-record.js';
import { type Chance, chanceOf } from './support/seeded-chance.js';
import { newTally } from './support/tally.js';
import { settleTenant, succeed } from './support/tenants.js';

const items = isLong ? 200_000 : 3_000;
const clients = 8;
/** The number of adjacent keys that the clients use at the same time. */
const windowOfKeys = 120;
const openingCents = 100_000_000;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let calls: Call[];
let owner: pg.Client;
let cashboxes: { readonly accountId: string; readonly cashboxId: string }[];

// Three processes, so that the locks of PostgreSQL serialize the writes, and not the mutexes of one process.
beforeAll(async () => {
  const first = await sandbox.startServer({ dataDir });
  const servers = [first, await sandbox.startServer({ dataDir }), await sandbox.startServer({ dataDir })];
  const { asUser, asProgram } = await settleTenant(first.origin);
  calls = servers.map(({ origin }) => callsTo(origin, asProgram));
  const opened = await Promise.all(
    ['North', 'South'].map((name) =>
      succeed(callsTo(first.origin, asUser), 'POST /v1/financial/accounts', {
        body: {
          name,
          type: 'cash',
          cashboxes: ['Left', 'Middle', 'Right'].map((side) => ({ name: side, openingBalanceDecimal: '1000000.00' })),
        },
      }),
    ),
  );
  cashboxes = opened.flatMap(({ id: accountId, cashboxes: own }) =>
    own.map(({ id: cashboxId }: { id: string }) => ({ accountId, cashboxId })),
  );
  owner = new pg.Client({ connectionString: (await getPostgresOf(dataDir)).connectionString });
  await owner.connect();
});
afterAll(() => owner.end());

const violations = newTally(
  'keys with several movements in the answers',
  'answers that are no success',
  'answers 5xx',
  'keys with more or less than one effect',
  'movements without a key of a client',
  'deadlocks in PostgreSQL',
  'cashboxes whose balance is not the sum of their movements',
);
const seen = newTally('bulkRequests', 'singlePosts', 'created', 'replayed', 'inProgress', 'atomicRequests');
const idOfKey = new Map<string, string>();
let sentItems = 0;

/** Returns the body under a key, which is always the same. Movements of neighbouring keys are in different cashboxes. */
function bodyOf(number: number): object {
  const cashbox = cashboxes[number % cashboxes.length];
  return {
    type: number % 3 === 0 ? 'income' : 'expense',
    amountDecimal: '1.00',
    ...cashbox,
    externalId: `T29-${number}`,
  };
}

async function sendRepeatedly(client: number, chance: Chance): Promise<void> {
  for (let turn = client; sentItems < items && !isLate(); turn += 1) {
    // All clients use the same range of keys at the same time, so that most keys are sent by several clients, alone and in bulk.
    const first = Math.floor((sentItems / items) * (items / 3));
    const numbers = Array.from({ length: 1 + drawBelow(chance, 60) }, () => first + drawBelow(chance, windowOfKeys));
    const distinct = [...new Set(numbers)].sort((a, b) => (turn % 2 === 0 ? a - b : b - a));
    if (chance.hits(0.5)) await sendTogether(turn, distinct);
    else for (const number of distinct.slice(0, 5)) await sendAlone(turn, number);
    if (chance.hits(0.2)) await sendAtomic(turn, client);
  }
}

async function sendTogether(turn: number, numbers: readonly number[]): Promise<void> {
  const movements = numbers.map((number) => ({ ...bodyOf(number), idempotencyKey: keyOf(number) }));
  const answer = await callOf(turn)('POST /v1/financial/movements/bulk', { body: { mode: 'independent', movements } });
  seen.bulkRequests += 1;
  sentItems += numbers.length;
  if (!isSuccess(answer)) return;
  for (const [index, { status, movement, error }] of answer.data.entries()) {
    if (status === 'failed') countRefusal(error);
    else countSuccess(keyOf(numbers[index] ?? 0), movement.id, status);
  }
}

async function sendAlone(turn: number, number: number): Promise<void> {
  const headers = { 'Idempotency-Key': keyOf(number) };
  const answer = await callOf(turn)('POST /v1/financial/movements', { headers, body: bodyOf(number) });
  seen.singlePosts += 1;
  sentItems += 1;
  if (answer.status === 409) countRefusal(answer.error);
  else if (isSuccess(answer)) {
    countSuccess(keyOf(number), answer.data.id, answer.meta.idempotentReplay === true ? 'replayed' : 'created');
  }
}

/** Sends an atomic request with all cashboxes, alternately in their order and in the reverse order. */
async function sendAtomic(turn: number, client: number): Promise<void> {
  const key = `atomic-${client}-${turn}`;
  const ordered = cashboxes.map((cashbox) => ({ type: 'income', amountDecimal: '1.00', ...cashbox }));
  const movements = turn % 2 === 0 ? ordered : ordered.toReversed();
  const options = { headers: { 'Idempotency-Key': key }, body: { movements } };
  const answer = await callOf(turn)('POST /v1/financial/movements/bulk', options);
  seen.atomicRequests += 1;
  sentItems += movements.length;
  isSuccess(answer);
}

function countSuccess(key: string, id: string, status: 'created' | 'replayed'): void {
  seen[status] += 1;
  if ((idOfKey.get(key) ?? id) !== id) violations['keys with several movements in the answers'] += 1;
  idOfKey.set(key, id);
}

/** Counts a refusal. IDEMPOTENCY_IN_PROGRESS is allowed: a concurrent request may hold the key longer than this request waits. */
function countRefusal(error: { readonly code: string }): void {
  if (error.code === 'IDEMPOTENCY_IN_PROGRESS') seen.inProgress += 1;
  else violations['answers that are no success'] += 1;
}

function isSuccess(answer: Answer): boolean {
  if (answer.status < 300) return true;
  violations['answers that are no success'] += 1;
  if (answer.status >= 500) violations['answers 5xx'] += 1;
  return false;
}

const keyOf = (number: number) => `T29 key ${number}`;
const callOf = (turn: number) => calls[turn % calls.length] as Call;

async function countDeadlocks(): Promise<number> {
  const { rows } = await owner.query('select sum(deadlocks)::int as deadlocks from pg_stat_database');
  return rows[0].deadlocks;
}

async function compareTables(): Promise<void> {
  const { rows } = await owner.query(
    `select
       (select count(*)::int from unnest($1::text[]) as acknowledged (key)
        left join app.idempotency_keys keys on keys.key = acknowledged.key
        left join (select external_id, count(*) as times from app.movements group by external_id) as done
          on 'T29 key ' || substr(done.external_id, 5) = acknowledged.key
        where done.times is distinct from 1 or keys.key is null) as keys,
       (select count(*)::int from app.movements m
        where m.external_id like 'T29-%' and 'T29 key ' || substr(m.external_id, 5) <> all ($1::text[])) as unknown,
       (select count(*)::int from app.cashboxes c
        where c.balance <> $2::numeric / 100 + coalesce((select sum(case m.type when 'income' then m.amount else -m.amount end)
          from app.movements m where m.tracker_id = c.tracker_id and m.cashbox_id = c.id), 0)
          or c.expense_count + c.income_count <> (select count(*) from app.movements m
            where m.tracker_id = c.tracker_id and m.cashbox_id = c.id)) as cashboxes`,
    [[...idOfKey.keys()], openingCents],
  );
  violations['keys with more or less than one effect'] += rows[0].keys;
  violations['movements without a key of a client'] += rows[0].unknown;
  violations['cashboxes whose balance is not the sum of their movements'] += rows[0].cashboxes;
}

it(
  'the server records one movement for each key that bulk and single requests share, without a deadlock',
  async () => {
    const deadlocks = await countDeadlocks();
    await Promise.all(
      Array.from({ length: clients }, (_, client) => sendRepeatedly(client, chanceOf(proofSeed, `client ${client}`))),
    );
    violations['deadlocks in PostgreSQL'] += (await countDeadlocks()) - deadlocks;
    await compareTables();

    await recordProof({
      id: 'T29',
      promise: 'Bulk requests and single posts under shared keys have one effect for each key, and do not deadlock',
      seed: proofSeed,
      injected: { items: sentItems, keys: idOfKey.size, clients, cashboxes: cashboxes.length, ...seen },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
    expect(seen.replayed).toBeGreaterThan(0);
  },
  shareMs,
);
