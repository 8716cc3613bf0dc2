import { ConflictError, UsageError } from '../errors.js';
import { type DuplicateCheck, isRecordedElsewhere } from './plan/duplicates.js';
import type { PairRow } from './plan/pair-candidates.js';
import type { PairPlan } from './plan/pairs.js';
import type { ImportPlan } from './plan/plan.js';
import type { ImportRequest } from './request.js';

/**
 * Shows what an import found out and has the user confirm it. A dry run only shows.
 * @throws ConflictError (exit 6), UsageError (exit 2) if something is not confirmed, or the user cannot be asked
 */
export async function confirmPlan(request: ImportRequest, plan: ImportPlan): Promise<void> {
  await confirmDuplicates(request, plan.duplicates);
  if (plan.pairs !== undefined) await confirmPairs(request, plan.pairs);
}

async function confirmDuplicates(
  { context, flags, isDryRun }: ImportRequest,
  duplicates: ImportPlan['duplicates'],
): Promise<void> {
  const { printer, prompt } = context;
  if (duplicates === 'not checked') return;
  if (duplicates === 'forbidden') {
    printer.note('This key may not record movements, so rows that another user or key has recorded cannot be found.');
    return;
  }
  const { checkedCount, found } = duplicates;
  if (!isRecordedElsewhere({ checkedCount, foundCount: found.length })) return;
  const message = describeDuplicates(duplicates);
  if (isDryRun) {
    printer.warn(message);
    printer.warn(`An import would stop here. ${recordAgainRemedy}`);
    return;
  }
  // `--yes` accepts how a file is read. A script that has it could not foresee duplicates.
  if (!prompt.isInteractive || flags.yes === true) throw new ConflictError(message, recordAgainRemedy);
  printer.warn(message);
  if (await prompt.confirm('Record the rows of this file once more?', 'no')) return;
  throw new ConflictError('Nothing was recorded.', recordAgainRemedy);
}

const recordAgainRemedy =
  'Import the file as the user or with the key that recorded it. Only --record-again records the rows once more.';

function describeDuplicates({ checkedCount, found }: DuplicateCheck): string {
  const isOne = checkedCount === 1;
  const subject = isOne ? 'The checked row is' : `${found.length} of ${checkedCount} checked rows are`;
  const accounts = listNames(found.map(({ accountName }) => accountName));
  const sources = listNames(found.map(({ source }) => `${source.type === 'user' ? 'user' : 'key'} ${source.id}`));
  return `${subject} already in ${accounts}, recorded by ${sources}, and not by an import of this file with your credential.`;
}

function listNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.slice(0, listedNamesMax).join(', ') + (all.length > listedNamesMax ? ' and others' : '');
}

const listedNamesMax = 3;

/**
 * Shows the pairs that become transfers, and the rows that fit several others. A transfer cannot be taken apart
 * again.
 */
async function confirmPairs({ context, flags, isDryRun }: ImportRequest, plan: PairPlan): Promise<void> {
  const { printer, prompt } = context;
  const { pairCount, transferredCount } = plan;
  const mustAsk = pairCount > 0 && flags.yes !== true && !isDryRun;
  const print = (text: string) => (mustAsk ? printer.warn(text) : printer.note(text));
  if (transferredCount > 0)
    print(
      transferredCount === 1
        ? '1 row is in a transfer that is recorded already.'
        : `${transferredCount} rows are in transfers that are recorded already.`,
    );
  if (pairCount === 0) print(describeNoPair(plan));
  else {
    // Only requests show which pairs are recorded as movements, and they take as long as recording all pairs.
    const subject =
      pairCount === 1 ? '1 pair of rows becomes a transfer' : `${pairCount} pairs of rows become transfers`;
    print(`${subject}, unless an earlier import has recorded the rows as movements:`);
  }
  const width = maxOf(plan.pairs(), ({ amount }) => amount.length);
  for (const { amount, from, to } of plan.pairs()) {
    print(`  ${from.day}  ${amount.padStart(width)}  from ${describeRow(from)} to ${describeRow(to)}`);
  }
  if (plan.ambiguousCount > 0) printer.warn('Not paired, because more than one row fits:');
  for (const { amount, type, row, lines } of plan.ambiguous()) {
    const preposition = type === 'expense' ? 'from' : 'to';
    const fits = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
    printer.warn(`  ${row.day}  ${amount}  ${preposition} ${describeRow(row)}: fits ${fits}`);
  }
  if (!mustAsk) return;
  if (!prompt.isInteractive) {
    throw new UsageError(
      `${pairCount === 1 ? '1 pair' : `${pairCount} pairs`} of rows would become transfers. No prompt is possible here.`,
      'Accept them with --yes, or leave out --pair-transfers.',
    );
  }
  if (await prompt.confirm('Are these transfers between your own accounts?')) return;
  throw new UsageError('Nothing was recorded.', 'Leave out --pair-transfers, or use a smaller --pair-window-days.');
}

function describeNoPair({ transferredCount, ambiguousCount }: PairPlan): string {
  if (ambiguousCount > 0) return 'No two rows are clearly a transfer.';
  if (transferredCount > 0) return 'No other rows are a pair.';
  return 'No transfers found: no two rows of different accounts have the same amount and currency within the window of days.';
}

function maxOf<Item>(items: Iterable<Item>, measure: (item: Item) => number): number {
  let max = 0;
  for (const item of items) max = Math.max(max, measure(item));
  return max;
}

function describeRow({ account, line }: PairRow): string {
  return `${account} (line ${line})`;
}
