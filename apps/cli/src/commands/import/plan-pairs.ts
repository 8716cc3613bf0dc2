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
  // A row in a transfer is told from equal ones by its number among them, so these are counted. All others are not:
  // that takes four times the memory of finding out which have to be counted later.
  const isInTransfer = (firstKey: string) => targets.legs.hasKey(firstKey);
  for await (const row of identifyRows(statement.rows(), targets, { mayRepeat: isInTransfer })) {
    if (row.outcome === 'transferred') transferredCount += 1;
    if (row.outcome === 'identified') finder.add(row);
    // Accounts that are yet to be made have no id, so their rows no key: any of them may be there again.
    if ('key' in row && row.key === null) hasKeys = false;
    if ('key' in row && row.key !== null) keys.see(row.key);
  }
  const isRepeated = hasKeys ? keys.settle() : () => true;
  const mayRepeat = (firstKey: string) => isInTransfer(firstKey) || isRepeated(firstKey);
  return { ...finder.decide(windowDays), transferredCount, mayRepeat };
}
