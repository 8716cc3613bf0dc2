import type { Transaction } from './database.js';

/** A value that a statement takes. */
export type Binding = string | number | boolean | Date | Buffer | null | readonly string[];

/**
 * Runs one statement with named bindings (`:name`) and gives its rows, columns as PostgreSQL names them.
 * Cast with `cast(:x as type)`: the driver sends text.
 */
export async function query<Row>(
  tx: Transaction,
  sql: string,
  bindings: Readonly<Record<string, Binding>> = {},
): Promise<Row[]> {
  const result = (await tx.raw(sql, bindings as Record<string, string>)) as { rows: Row[] };
  return result.rows;
}
