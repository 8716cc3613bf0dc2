import { RepeatedIds } from '../../statements/repeated-ids.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import { PairFinder, type PairPlan } from './find-pairs.js';
import { identifyRows } from './identify-rows.js';
import type { RowTargets } from './row-targets.js';

/** What one reading of all rows has shown for the next one. */
export interface RowPlan extends PairPlan {
  /** Rows that are half of a transfer recorded before. */
  readonly transferredCount: number;
  /** Whether there may be several rows that have this key as their first. */
  mayRepeat(firstKey: string): boolean;
}

/** Reads a statement to find out which of its rows become transfers. */
export async function planPairs(
  statement: OpenedStatement,
  { targets, windowDays }: { targets: RowTargets; windowDays: number },
): Promise<RowPlan> {
  const finder = new PairFinder();
  const keys = new RepeatedIds();
  let transferredCount = 0;
  let hasKeys = true;
  // Rows are not counted here: that takes four times the memory of finding out which have to be counted later.
  for await (const row of identifyRows(statement.rows(), targets, { mayRepeat: () => false })) {
    if (row.outcome === 'transferred') transferredCount += 1;
    if (row.outcome === 'identified') finder.add(row);
    // Accounts that are yet to be made have no id, so their rows no key: any of them may be there again.
    if ('key' in row && row.key === null) hasKeys = false;
    if ('key' in row && row.key !== null) keys.see(row.key);
  }
  return { ...finder.decide(windowDays), transferredCount, mayRepeat: hasKeys ? keys.settle() : () => true };
}
