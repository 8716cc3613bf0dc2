import type pg from 'pg';

/** Returns the number of connections that wait for an advisory lock in this database. */
export async function waitingForAdvisoryLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as count from pg_locks where locktype = 'advisory' and not granted
     and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0].count;
}

/** Polls until the condition is true. If it never becomes true, the timeout of the test ends the wait. */
export async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
