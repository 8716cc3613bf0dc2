import { UsageError } from '../../errors.js';
import type { CommandContext as Invocation } from '../shared/context.js';
import type { ImportFlags } from './import-flags.js';
import type { PairSide } from './pair-rows.js';
import type { RowPlan } from './plan-pairs.js';

/**
 * Shows which rows are going to be transfers, and which could be and are left alone, and has a person confirm it. A
 * transfer cannot be taken apart again. A dry run records nothing, so it only shows.
 *
 * @param plan.transferredCount rows that need no pair, because an earlier import has made one of them
 * @throws UsageError (exit 2) when it is not confirmed, or nobody can be asked
 */
export async function confirmPairs(
  plan: RowPlan,
  { invocation, flags }: { invocation: Invocation; flags: ImportFlags },
): Promise<void> {
  const { printer, prompt } = invocation;
  const { pairCount, transferredCount } = plan;
  const mustAsk = pairCount > 0 && flags.yes !== true && flags.dryRun !== true;
  const say = mustAsk ? (text: string) => printer.warn(text) : (text: string) => printer.note(text);
  if (transferredCount > 0)
    say(
      transferredCount === 1
        ? '1 row is in a transfer that is recorded already.'
        : `${transferredCount} rows are in transfers that are recorded already.`,
    );
  if (pairCount === 0) say(describeNoPair(plan));
  else {
    // Only the server knows which these are, and asking it of each pair takes as long as recording them.
    const subject =
      pairCount === 1 ? '1 pair of rows becomes a transfer' : `${pairCount} pairs of rows become transfers`;
    say(`${subject}, unless an earlier import has recorded the rows as movements:`);
  }
  const width = maxOf(plan.pairs(), ({ amount }) => amount.length);
  for (const { amount, from, to } of plan.pairs()) {
    say(`  ${from.day}  ${amount.padStart(width)}  from ${describe(from)} to ${describe(to)}`);
  }
  if (plan.ambiguousCount > 0) printer.warn('Left alone, because more than one row would fit:');
  for (const { amount, type, row, lines } of plan.ambiguous()) {
    const side = type === 'expense' ? 'from' : 'to';
    printer.warn(`  ${row.day}  ${amount}  ${side} ${describe(row)}: fits line ${lines.join(', ')}`);
  }
  if (!mustAsk) return;
  if (!prompt.isInteractive) {
    throw new UsageError(
      `Pairs of rows (${pairCount}) would become transfers. Nobody can be asked here.`,
      'Accept them with --yes, or leave --pair-transfers out.',
    );
  }
  if (await prompt.confirm('Are these transfers between own accounts?')) return;
  throw new UsageError(
    'Nothing was recorded.',
    'Leave --pair-transfers out, or make --pair-window-days smaller, so that other rows are not taken for a pair.',
  );
}

function describeNoPair({ transferredCount, ambiguousCount }: RowPlan): string {
  if (ambiguousCount > 0) return 'No two rows are clearly a transfer.';
  if (transferredCount > 0) return 'No other rows are a pair.';
  return 'No two rows of two accounts have one amount in one currency within the window of days: none is a transfer.';
}

function maxOf<Item>(items: Iterable<Item>, measure: (item: Item) => number): number {
  let max = 0;
  for (const item of items) max = Math.max(max, measure(item));
  return max;
}

function describe({ account, line }: PairSide): string {
  return `${account} (line ${line})`;
}
