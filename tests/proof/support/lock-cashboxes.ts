import pg from 'pg';
import { until } from '../../acceptance/support/until.js';

/** Row locks on cashboxes, which block writes to them. */
export interface CashboxLocks {
  /** Locks the cashboxes of these accounts, so that writes to them wait. */
  lock(accountIds: readonly string[]): Promise<void>;
  release(): Promise<void>;
  /** Waits until a write waits for the locked cashboxes. */
  waitForBlockedWrite(): Promise<void>;
  /** Returns the number of connections that wait for an advisory lock. */
  countAdvisoryWaits(): Promise<number>;
  end(): Promise<void>;
}

/** Opens two connections as the owner of the database: one for locks, one for queries. */
export async function openCashboxLocks(connectionString: string): Promise<CashboxLocks> {
  const [locking, querying] = [new pg.Client({ connectionString }), new pg.Client({ connectionString })];
  await Promise.all([locking.connect(), querying.connect()]);
  const count = async (condition: string) => {
    const { rows } = await querying.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and ${condition}`,
    );
    return rows[0]?.n ?? 0;
  };
  return {
    async lock(accountIds) {
      await locking.query('begin');
      await locking.query('select 1 from app.cashboxes where account_id = any ($1) order by id for update', [
        accountIds,
      ]);
    },
    async release() {
      await locking.query('rollback');
    },
    async waitForBlockedWrite() {
      const condition = `wait_event_type = 'Lock' and wait_event in ('transactionid', 'tuple')`;
      await until('a write waits for a cashbox', async () => (await count(condition)) > 0);
    },
    countAdvisoryWaits: () => count(`wait_event_type = 'Lock' and wait_event = 'advisory'`),
    async end() {
      await Promise.all([locking.end(), querying.end()]);
    },
  };
}
