import type { ContextValue } from './statement.js';
import { type Binding, compileStatement } from './statement.js';
import type { SendOptions, Transaction } from './transaction.js';

export type { Binding } from './statement.js';

/**
 * Runs one statement with named bindings (`:name`) and returns its rows. The keys of a row are PostgreSQL's column names. The driver sends
 * values as text, so use `cast(:x as type)` if PostgreSQL cannot infer the type.
 * @param options see {@link Transaction.send}
 */
export async function query<Row>(
  tx: Transaction,
  sql: string,
  bindings: Readonly<Record<string, Binding | ContextValue>> = {},
  options: SendOptions = {},
): Promise<Row[]> {
  const { rows } = await tx.send(compileStatement(sql, bindings), options);
  return rows as Row[];
}

/**
 * For each role, the statement that assumes it after BEGIN, and the statement that assumes it without BEGIN. After BEGIN, SET LOCAL costs
 * less than half as much as a SELECT. Without BEGIN, SET LOCAL has no effect and writes are allowed, so one SELECT sets the role and
 * forbids writes.
 */
const assumeRoleStatements = {
  centavo_app: toAssumeRole('centavo_app'),
  centavo_identity: toAssumeRole('centavo_identity'),
  centavo_definer: toAssumeRole('centavo_definer'),
};

function toAssumeRole(role: string): { readonly withBegin: string; readonly withoutBegin: string } {
  return {
    withBegin: `SET LOCAL ROLE ${role}`,
    withoutBegin: `select set_config('role', '${role}', true), set_config('transaction_read_only', 'on', true)`,
  };
}

/**
 * Assumes one of Centavo's roles until the transaction ends. PostgreSQL checks the right to call a function before it runs the statement,
 * so a separate statement must set the role first. If the caller sends the next statement synchronously after this one, both are sent in
 * one batch.
 */
export async function assumeRole(
  tx: Transaction,
  role: keyof typeof assumeRoleStatements,
  options: SendOptions = {},
): Promise<void> {
  const { withBegin, withoutBegin } = assumeRoleStatements[role];
  await query(tx, tx.mayOmitBegin ? withoutBegin : withBegin, {}, options);
}

/**
 * Assumes `centavo_identity`, the role that jobs use, as the first statement of a job's transaction. A connection that does not answer this
 * statement within two seconds is destroyed. The time limits of jobs are longer than those of requests. So without this limit, jobs would
 * hold dead connections even after the network works again, and requests would lack connections.
 */
export async function assumeJobRole(tx: Transaction): Promise<void> {
  await assumeRole(tx, 'centavo_identity', { answerMsMax: 2_000 });
}
