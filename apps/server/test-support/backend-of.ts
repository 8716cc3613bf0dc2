import { query } from '../src/database/query.js';
import type { Transaction } from '../src/database/transaction.js';

/** The process of PostgreSQL that a transaction is in, which tells its connection from others. */
export async function backendOf(tx: Transaction): Promise<number | undefined> {
  const [row] = await query<{ pid: number }>(tx, 'select pg_backend_pid() as pid');
  return row?.pid;
}
