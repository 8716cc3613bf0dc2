import { ConflictError, UsageError } from '../errors.js';
import type { Duplicate } from './plan/duplicates/duplicate.js';
import { type DuplicateCheck, mustConfirmDuplicates } from './plan/duplicates/find-duplicates.js';
import type { PairRow } from './plan/pairs/pair-candidates.js';
import type { PairPlan } from './plan/pairs/plan-pairs.js';
import type { ImportRequest } from './request.js';

/** The findings of the checks that an import makes before it records a row. */
export interface ImportPlan {
  /**
   * The rows that are already recorded, but not under the idempotency key that this import gives them. `not checked`: the
   * credential may not read movements. `forbidden`: the credential may read but not record movements, and the search for
   * these rows needs both scopes.
   */
  readonly duplicates: DuplicateCheck | 'not checked' | 'forbidden';
  /** The pairs of rows that become transfers, and the rows whose pair is unclear. Undefined without `--pair-transfers`. */
  readonly pairs: PairPlan | undefined;
}

/**
 * Shows the findings of an import, and asks the user to confirm them. A dry run asks no question.
 *
 * @returns the rows to leave out because they match a recorded movement, as positions in the file. The report counts such a
 *   row as replayed if its idempotency key was used, otherwise as skipped.
 * @throws ConflictError (exit 6), UsageError (exit 2) if the user does not confirm a finding, or cannot be asked
 */
export async function confirmPlan(request: ImportRequest, plan: ImportPlan): Promise<ReadonlySet<number>> {
  const leftOut = await confirmDuplicates(request, plan.duplicates);
  if (plan.pairs !== undefined) await confirmPairs(request, plan.pairs);
  return leftOut;
}

async function confirmDuplicates(
  { context, flags, questions }: ImportRequest,
  duplicates: ImportPlan['duplicates'],
): Promise<ReadonlySet<number>> {
  const { printer, prompt } = context;
  const none: ReadonlySet<number> = new Set();
  if (duplicates === 'not checked') return none;
  if (duplicates === 'forbidden') {
    printer.note(
      'This API key may not record movements, so the import cannot find rows that are recorded under other idempotency keys.',
    );
    return none;
  }
  const { found, isCut, recordedIndexes } = duplicates;
  if (isCut && flags.skipRecorded === true) questions.refuse(new UsageError(cutMessage, 'Import the file in parts.'));
  else if (isCut) printer.warn(cutMessage);
  if (flags.skipRecorded === true) return recordedIndexes;
  if (!mustConfirmDuplicates(duplicates)) return none;
  const message = describeDuplicates(duplicates);
  const details = listDuplicates(found);
  // `--yes` does not accept duplicates, because the author of a script with `--yes` could not foresee them.
  if (!questions.canAsk || flags.yes === true) {
    questions.refuse(new ConflictError(message, duplicatesRemedy, details));
    return none;
  }
  for (const line of [message, ...details.map((detail) => `  ${detail}`)]) printer.warn(line);
  if (!isCut && (await prompt.confirm('Omit these rows and record the others?', 'no'))) return recordedIndexes;
  if (await prompt.confirm('Record these rows again?', 'no')) return none;
  throw new ConflictError('Nothing was recorded.', duplicatesRemedy);
}

const cutMessage =
  'To list the movements in the period of the file, the import would need more than 500 requests. It did not compare all rows.';

const duplicatesRemedy =
  'Use --skip-recorded to record only the other rows. Use --record-again only if these rows are other transactions: if they are the same, their amounts count twice.';

function describeDuplicates({ comparedCount, found, isComplete }: DuplicateCheck): string {
  const count = `${isComplete ? '' : 'At least '}${found.length} of ${comparedCount} compared rows`;
  const accounts = listNames(found.map(({ accountName }) => accountName));
  const sources = listNames(
    found.flatMap(({ movements }) =>
      movements.map(({ source }) => `${source.type === 'user' ? 'user' : 'key'} ${source.id}`),
    ),
  );
  return `${count} ${found.length === 1 ? 'seems' : 'seem'} to be in ${accounts} already, recorded by ${sources}, but not from this file:`;
}

function listDuplicates(found: readonly Duplicate[]): readonly string[] {
  const lines = found.slice(0, listedDuplicatesMax).map((duplicate) => {
    const { line, occurredOn, signedAmount, currencyCode, text } = duplicate;
    return `line ${line}  ${occurredOn}  ${signedAmount} ${currencyCode}  ${quote(text)}, ${describeMovements(duplicate)}`;
  });
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `and ${more} more`] : lines;
}

function describeMovements({ movements, isPart, occurredOn, currencyCode }: Duplicate): string {
  const texts = movements.slice(0, listedPartsMax).map(({ text, signedAmount, occurredOn: day = occurredOn }) => {
    const amount = signedAmount === undefined ? '' : ` of ${signedAmount} ${currencyCode}`;
    return `${quote(text)}${amount}${day === occurredOn ? '' : ` on ${day}`}`;
  });
  const more = movements.length > listedPartsMax ? [`${movements.length - listedPartsMax} more`] : [];
  return `recorded as ${isPart ? 'a part of ' : ''}${[...texts, ...more].join(' and ')}`;
}

const listedPartsMax = 3;

const listedDuplicatesMax = 5;

function quote(text: string): string {
  return text.trim() === '' ? 'no text' : `"${text.trim()}"`;
}

function listNames(names: readonly string[]): string {
  const all = [...new Set(names)];
  return all.slice(0, listedNamesMax).join(', ') + (all.length > listedNamesMax ? ' and others' : '');
}

const listedNamesMax = 3;

/**
 * Shows the pairs that become transfers, and the rows that are not paired because it is unclear which rows belong together.
 * The user confirms the pairs before they are recorded, because a transfer cannot be split later.
 */
async function confirmPairs({ context, flags, questions }: ImportRequest, plan: PairPlan): Promise<void> {
  const { printer, prompt } = context;
  const { pairCount, transferredCount } = plan;
  const mustAsk = pairCount > 0 && flags.yes !== true;
  const print = (text: string) => (mustAsk ? printer.warn(text) : printer.note(text));
  if (transferredCount > 0)
    print(
      transferredCount === 1
        ? '1 row is in a transfer that is recorded already.'
        : `${transferredCount} rows are in transfers that are recorded already.`,
    );
  if (pairCount === 0) print(describeNoPair(plan));
  else {
    // The import does not check which pairs are already recorded as two movements: the check would take as long as recording
    // all pairs.
    const subject =
      pairCount === 1 ? '1 pair of rows becomes a transfer' : `${pairCount} pairs of rows become transfers`;
    print(`${subject}, unless an earlier import has recorded the rows as movements:`);
  }
  const width = maxOf(plan.pairs(), ({ amount }) => amount.length);
  for (const { amount, from, to } of plan.pairs()) {
    print(`  ${from.day}  ${amount.padStart(width)}  from ${describeRow(from)} to ${describeRow(to)}`);
  }
  if (plan.ambiguousCount > 0) printer.warn('Not paired, because it is not clear which rows belong together:');
  for (const { amount, type, row, lines } of plan.ambiguous()) {
    const preposition = type === 'expense' ? 'from' : 'to';
    const fits = `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}`;
    printer.warn(`  ${row.day}  ${amount}  ${preposition} ${describeRow(row)}: fits ${fits}`);
  }
  if (!mustAsk) return;
  if (!questions.canAsk) {
    const pairs =
      pairCount === 1 ? '1 pair of rows would become a transfer' : `${pairCount} pairs of rows would become transfers`;
    questions.refuse(
      new UsageError(
        `${pairs}. ${questions.whyNot}`,
        'Check the pairs above. Accept them with --yes, or leave out --pair-transfers.',
      ),
    );
    return;
  }
  if (await prompt.confirm('Are these transfers between your own accounts?')) return;
  throw new UsageError('Nothing was recorded.', 'Leave out --pair-transfers, or use a smaller --pair-window-days.');
}

function describeNoPair({ transferredCount, ambiguousCount }: PairPlan): string {
  if (ambiguousCount > 0) return 'No two rows are clearly a transfer.';
  if (transferredCount > 0) return 'No other rows form a pair.';
  return 'No transfers found: no two opposite rows of different accounts have the same amount and currency within the window of days.';
}

function maxOf<Item>(items: Iterable<Item>, measure: (item: Item) => number): number {
  let max = 0;
  for (const item of items) max = Math.max(max, measure(item));
  return max;
}

function describeRow({ account, line }: PairRow): string {
  return `${account} (line ${line})`;
}
