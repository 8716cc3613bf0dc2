import { callsTo } from '../../../acceptance/support/call-api.js';
import { asOwner } from '../../../acceptance/support/postgres-of.js';
import { until } from '../../../acceptance/support/until.js';
import { connectAsOwner } from '../crash-postgres.js';
import { operations } from '../prepared-writes.js';
import { isSuccess } from '../retry-until-final.js';
import type { TenantWithAccounts } from '../tenants-with-accounts.js';

const attemptsMax = 1_500;

/**
 * Waits until the pool is not opening any connection. An attempt to connect that began during a fault counts towards the size of the
 * pool for up to two seconds. During this time, `useWholePool` could fail: its writes wait for the lock for only two seconds, so the first
 * writes could give up before the last write gets a connection.
 */
export function untilNoConnectionOpens(origin: string): Promise<void> {
  return until('the pool is not opening any connection', async () => {
    const text = await (await fetch(`${origin}/metrics`)).text();
    return text.includes('centavo_database_connections{state="opening"} 0\n');
  });
}

/**
 * Checks that all connections of the pool are available. Locks a balance and sends one write for each connection, each in its own
 * transaction. Releases the lock when all writes wait for it.
 * @param options.marker the prefix of the idempotency keys of the writes; this function appends a hyphen and a number
 * @returns `ids`: the ids of the successful writes by idempotency key, fewer than `poolMax` if a connection was lost.
 *   `waitedTogether`: whether all writes waited for the lock at the same time
 */
export async function useWholePool(
  connectionString: string,
  options: {
    readonly origin: string;
    readonly tenant: TenantWithAccounts;
    readonly poolMax: number;
    readonly marker: string;
  },
): Promise<{ readonly ids: ReadonlyMap<string, string>; readonly waitedTogether: boolean }> {
  const { origin, tenant, poolMax, marker } = options;
  const holder = await connectAsOwner(connectionString);
  await holder.query('begin');
  await holder.query('select from app.cashboxes where account_id = $1 for update', [tenant.accounts.accountId]);
  const ids = new Map<string, string>();
  const writing = Array.from({ length: poolMax }, async (_, index) => {
    const key = `${marker}-${index}`;
    const { methodAndPath, body, headers, idOf } = await operations['an expense'](tenant.accounts, key);
    const answer = await callsTo(origin, tenant.headers)(methodAndPath, { body, headers });
    if (isSuccess(answer)) ids.set(key, idOf(answer.data));
  });
  const waitedTogether = await until(
    'all writes wait for the balance',
    async () => (await countBackends(connectionString, `wait_event_type = 'Lock'`)) === poolMax,
    { attemptsMax },
  ).then(
    () => true,
    () => false,
  );
  await holder.query('rollback');
  await holder.end();
  await Promise.all(writing);
  return { ids, waitedTogether };
}

/** Waits, for a limited time, until no connection is idle in a transaction. @returns the number of connections that still are */
export async function countIdleInTransaction(connectionString: string): Promise<number> {
  const count = () => countBackends(connectionString, `state like 'idle in transaction%'`);
  const areNone = await until('no connection is idle in a transaction', async () => (await count()) === 0, {
    attemptsMax,
  }).then(
    () => true,
    () => false,
  );
  // Does not count again after a count of 0, because a second count may include a job that is between two of its statements.
  return areNone ? 0 : count();
}

function countBackends(connectionString: string, condition: string): Promise<number> {
  return asOwner(connectionString, async (owner) => {
    const { rows } = await owner.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where application_name = 'centavo-server' and ${condition}`,
    );
    return rows[0]?.n ?? 0;
  });
}
