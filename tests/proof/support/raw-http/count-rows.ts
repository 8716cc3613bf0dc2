import type pg from 'pg';
import { newTally } from '../tally.js';
import type { RawAnswer } from './read-answers.js';

const tables = [
  'trackers',
  'categories',
  'movements',
  'transfers',
  'budgets',
  'budget_lines',
  'accounts',
  'cashboxes',
] as const;

/** The number of rows by table. */
export type Rows = Record<(typeof tables)[number], number>;

export const noRows = (): Rows => newTally(...tables);

/** Counts the rows of all tenants, as the owner of the database. */
export async function countRows(owner: pg.ClientBase): Promise<Rows> {
  const counts = tables.map((table) => `(select count(*)::int from app.${table}) as ${table}`);
  const { rows } = await owner.query<Rows>(`select ${counts.join(', ')}`);
  return rows[0] ?? noRows();
}

/** Adds the rows that a response with the status 201 reports as created. Ignores other responses. */
export function addReportedRows(reported: Rows, { status, body }: RawAnswer): void {
  if (status !== 201) return;
  const { data } = JSON.parse(body);
  if (data.groupId !== undefined) {
    reported.transfers += 1;
    reported.movements += 2;
  } else if (data.budgetId !== undefined) reported.budget_lines += 1;
  else if (data.lines !== undefined) {
    reported.budgets += 1;
    reported.budget_lines += data.lines.length;
  } else if (data.cashboxId !== undefined) reported.movements += 1;
  else if (data.isUnknown !== undefined) reported.categories += 1;
  else if (data.timeZone !== undefined) reported.trackers += 1;
}

/** Returns the number of surplus and missing rows. */
export function countDifferences(
  found: Rows,
  { before, reported }: { readonly before: Rows; readonly reported: Rows },
): number {
  return tables.reduce((sum, table) => sum + Math.abs(found[table] - before[table] - reported[table]), 0);
}
