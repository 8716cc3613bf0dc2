import type { Database, Transaction } from './database.js';
import { findLoginFaults, type LoginFault } from './login-faults.queries.js';
import { assumeRole, query } from './query.js';

/** What a start has to know of its database. */
export interface Surroundings {
  readonly hasUsers: boolean;
  readonly loginFaults: readonly LoginFault[];
}

/**
 * Reads whether the database has users, and which needless rights the logins of this server have.
 * @param replicaLogin the login on the replica; null without a replica
 */
export async function lookAround(tx: Transaction, replicaLogin: string | null): Promise<Surroundings> {
  const loginFaults = await findLoginFaults(tx, replicaLogin);
  await assumeRole(tx, 'centavo_identity');
  const [users] = await query<{ exist: boolean }>(tx, 'select exists (select from app.users) as exist');
  return { hasUsers: users?.exist === true, loginFaults };
}

/** Whether the tables are distributed by Citus. */
export async function isSharded(database: Database): Promise<boolean> {
  const [row] = await database.transaction({ readOnly: true }, (tx) =>
    query<{ found: boolean }>(tx, `select exists (select from pg_extension where extname = 'citus') as found`),
  );
  return row?.found === true;
}
