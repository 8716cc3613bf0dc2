import type pg from 'pg';

const attemptsMax = 10_000;

/**
 * Waits until exactly `count` statements of the server wait for locks.
 * @param waiting.client a client outside a transaction, because PostgreSQL caches pg_stat_activity within a transaction
 * @param waiting.isOver ends the wait early when it returns true
 * @throws Error if none of 10,000 checks finds exactly `count` such statements
 */
export async function waitForLockedStatements(waiting: {
  readonly client: pg.Client;
  readonly count: number;
  readonly isOver?: () => boolean;
}): Promise<void> {
  const { client, count, isOver = () => false } = waiting;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
       where datname = current_database() and application_name = 'centavo-server' and wait_event_type = 'Lock'`,
    );
    if (isOver() || rowCount === count) return;
  }
  throw new Error(`The number of statements that wait for locks was never ${count}.`);
}
