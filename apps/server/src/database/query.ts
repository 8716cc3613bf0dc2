import { type Binding, compileStatement } from './compile-statement.js';
import type { SendOptions, Transaction } from './transaction.js';

export type { Binding } from './compile-statement.js';

/**
 * Runs one statement with named bindings (`:name`) and gives its rows, columns as PostgreSQL names them.
 * Cast with `cast(:x as type)`: the driver sends text.
 * @param options see {@link Transaction.send}
 */
export async function query<Row>(
  tx: Transaction,
  sql: string,
  bindings: Readonly<Record<string, Binding>> = {},
  options: SendOptions = {},
): Promise<Row[]> {
  const { rows } = await tx.send(compileStatement(sql, bindings), options);
  return rows as Row[];
}
