import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { callsTo } from '../../acceptance/support/call-api.js';
import { createTenant, succeed, type Tenant } from '../../proof/support/tenants.js';
import { addEvents } from './add-events.js';
import { addMovements, type BooksToFill } from './add-movements.js';
import { namesOfReference } from './variables-of-reference.js';

/** The data that Centavo and the reference read and write. */
export interface Books {
  readonly headers: Tenant['asProgram'];
  /** The values that the workloads of `load/conversations.mjs` need. */
  readonly forClient: {
    readonly cashboxes: readonly { readonly accountId: string; readonly cashboxId: string }[];
    /** The movements that W5 corrects. */
    readonly movementIds: readonly string[];
    /** The idempotency keys that W6 replays. */
    readonly replayedKeys: readonly string[];
    readonly budgetId: string;
  };
  /** The input of `addMovements`. */
  readonly toFill: BooksToFill;
  /** The values of the variables in the reference's scripts. */
  readonly forReference: Readonly<Record<string, string>>;
}

export const accountCount = 4;
/**
 * The number of cashboxes, equal to the number of connections. Requests use random cashboxes, so that some concurrent requests update
 * the same balance, as in production.
 */
export const cashboxCount = 16;
export const movementCount = 100_000;
/** The number of days in three years. */
export const daysOfBooks = 1_095;
const correctedCount = 1_600;
const replayedCount = 160;
const lineCount = 20;
const dayMs = 86_400_000;

/**
 * Creates a tenant with accounts, cashboxes, three years of movements with the matching balances and events, and a budget of 30
 * days. The ids end with consecutive numbers, because a script of pgbench can choose a random number, but not
 * a random id.
 */
export async function createBooks(origin: string, owner: pg.ClientBase, count = movementCount): Promise<Books> {
  const tenant = await createTenant(origin);
  const { trackerId } = tenant;
  const secret = (tenant.asProgram.Authorization ?? '').replace('Bearer ', '');
  const secretSha256 = createHash('sha256').update(secret).digest('hex');
  const { budgetId, categoryIds } = await openBudget(origin, tenant);
  await addCashboxes(owner, trackerId);
  const toFill = { trackerId, secretSha256, categoryIds, cashboxCount };
  await addMovements(owner, toFill, { first: 1, last: count, daysBack: `n % ${daysOfBooks}` });
  await addEvents(owner, trackerId, count);
  return {
    toFill,
    headers: tenant.asProgram,
    forClient: {
      cashboxes: numbers(cashboxCount).map((number) => ({
        accountId: `00000000-0000-4000-9000-${padded(1 + ((number - 1) % accountCount))}`,
        cashboxId: `00000000-0000-4000-8000-${padded(number)}`,
      })),
      movementIds: numbers(correctedCount).map((number) => `10000000-0000-4000-8000-${padded(number)}`),
      replayedKeys: numbers(replayedCount).map((number) => `replayed-${number - 1}`),
      budgetId,
    },
    forReference: namesOfReference({ trackerId, budgetId, secretSha256 }),
  };
}

/** Creates the categories, and a budget of 30 past days with a line for each category. */
async function openBudget(
  origin: string,
  tenant: Tenant,
): Promise<{ readonly budgetId: string; readonly categoryIds: readonly string[] }> {
  const call = callsTo(origin, tenant.asProgram);
  const make = (path: string, body: unknown) =>
    succeed(call, `POST /v1/financial/${path}`, { headers: { 'Idempotency-Key': randomUUID() }, body });
  const categoryIds: string[] = [];
  for (const number of numbers(lineCount)) {
    categoryIds.push((await make('categories', { name: `Category ${number}` })).id);
  }
  const dateBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);
  const { id: budgetId } = await make('budgets', {
    name: 'Month',
    mode: 'tracking',
    periodStart: dateBefore(60),
    periodEnd: dateBefore(31),
    lines: categoryIds.map((categoryId) => ({ categoryId, plannedDecimal: '250.00' })),
  });
  return { budgetId, categoryIds };
}

async function addCashboxes(owner: pg.ClientBase, trackerId: string): Promise<void> {
  await owner.query(
    `insert into app.accounts (tracker_id, id, name, type, currency_code)
     select $1, ('00000000-0000-4000-9000-' || lpad(n::text, 12, '0'))::uuid, 'Account ' || n, 'checking', 'EUR'
     from generate_series(1, $2::integer) n`,
    [trackerId, accountCount],
  );
  await owner.query(
    `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance)
     select $1, ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
       ('00000000-0000-4000-9000-' || lpad((1 + (n - 1) % $3)::text, 12, '0'))::uuid, 'Cashbox ' || n, 10000, 10000
     from generate_series(1, $2::integer) n`,
    [trackerId, cashboxCount, accountCount],
  );
}

/** Returns the numbers from 1 to `count`. */
function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

function padded(number: number): string {
  return String(number).padStart(12, '0');
}
