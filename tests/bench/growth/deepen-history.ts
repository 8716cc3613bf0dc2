import type pg from 'pg';
import { addEvents } from '../server/add-events.js';
import { addMovements } from '../server/add-movements.js';
import { type Books, daysOfBooks } from '../server/create-books.js';

/**
 * The tracker grows in at most four steps. The movements of four steps together span this number of days. The oldest of these days is
 * a few years after 1900, the earliest year that a movement may have.
 */
const daysOfHistory = 44_000;
/** The number of days that the movements of one step span. Movements of two steps never have the same date. */
const daysOfStep = daysOfHistory / 4;

/**
 * Adds the movements `first` to `last` with dates before all existing ones: the history becomes longer, and its newest part
 * does not change. Adds them from the newest to the oldest, each with an event.
 * @param range.step the index of the step, from 0. It determines the dates of the movements.
 */
export async function deepenHistory(
  owner: pg.ClientBase,
  books: Books,
  range: { readonly first: number; readonly last: number; readonly step: number },
): Promise<void> {
  const { first, last, step } = range;
  const newest = daysOfBooks + step * daysOfStep;
  const daysBack = `${newest} + (n - ${first}) * ${daysOfStep - 1} / ${last - first + 1}`;
  await withoutIndexes(owner, () => addMovements(owner, books.toFill, { first, last, daysBack }));
  await addEvents(owner, books.toFill.trackerId, last - first + 1);
}

/**
 * Drops the indexes of movements except the primary key, runs `act`, and creates the indexes again. Updating the indexes for
 * each row would take much longer.
 */
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
