import type pg from 'pg';
import { addMovements } from '../place/add-movements.js';
import { type Books, daysOfBooks } from '../place/furnish-books.js';

/** Back to the first years of the last century, before which a movement cannot be. */
const daysOfHistory = 44_000;
/** Each size adds the years before those that are there, so that no day is in two of them. */
const daysOfSize = daysOfHistory / 4;

/**
 * Adds movements before all that are there, from number `first` to `last`: the history becomes deeper, and what is new in
 * it stays as it was. They are added in the order of their days, as an import would.
 * @param range.size counts from 0, for the years in which they lie
 */
export async function deepenHistory(
  owner: pg.ClientBase,
  books: Books,
  range: { readonly first: number; readonly last: number; readonly size: number },
): Promise<void> {
  const { first, last, size } = range;
  const newest = daysOfBooks + size * daysOfSize;
  const daysBack = `${newest} + (n - ${first}) * ${daysOfSize - 1} / ${last - first + 1}`;
  await withoutIndexes(owner, () => addMovements(owner, books.toFill, { first, last, daysBack }));
}

/** Indexes are made anew afterwards, as a restore does: keeping them row by row would take much longer. */
async function withoutIndexes(owner: pg.ClientBase, act: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
     where schemaname = 'app' and tablename = 'movements' and indexname <> 'movements_pkey'`,
  );
  for (const { name } of indexes) await owner.query(`drop index ${name}`);
  await act();
  await owner.query(`set maintenance_work_mem = '1GB'`);
  for (const { definition } of indexes) await owner.query(definition);
}
