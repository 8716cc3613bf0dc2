import type { OpenedStatement } from '../../statements/statement-format.js';
import type { Printer } from '../../terminal/printer.js';
import type { ImportSummary, ImportTally, RowFailure } from './import-tally.js';
import type { RowTargets } from './prepare-rows.js';

/**
 * Prints what an import has come to; people read the failed rows, by line, on stderr.
 * @param told.advice one sentence about what is wrong with the date of every row
 */
export async function printSummary(
  printer: Printer,
  summary: ImportSummary,
  { advice }: { advice: string | null },
): Promise<void> {
  tellFailures(printer, { failures: summary.failures, advice });
  await printer.printRecord(summary, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'CREATED', value: ({ created }) => String(created) },
      { header: 'REPLAYED', value: ({ replayed }) => String(replayed) },
      { header: 'FAILED', value: ({ failed }) => String(failed) },
      { header: 'SKIPPED', value: ({ skipped }) => String(skipped) },
    ],
    fields: ['rows', 'created', 'replayed', 'failed', 'skipped', 'failures'],
  });
}

/** Prints what an import would do. The summary's keys are there too, so that one script reads both. */
export async function printDryRun(
  printer: Printer,
  plan: { statement: OpenedStatement; tally: ImportTally; targets: RowTargets },
): Promise<void> {
  const summary = plan.tally.summarize(plan.statement.rowCount);
  tellFailures(printer, { failures: summary.failures, advice: plan.statement.reading?.advice ?? null });
  printer.note('Dry run: nothing was recorded.');
  const record = {
    dryRun: true,
    ...summary,
    wouldRecord: plan.tally.planned,
    wouldCreateAccounts: plan.targets.accounts.created,
    wouldCreateCategories: plan.targets.categories.created,
  };
  await printer.printRecord(record, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'WOULD RECORD', value: ({ wouldRecord }) => String(wouldRecord) },
      { header: 'FAILED', value: ({ failed }) => String(failed) },
      { header: 'SKIPPED', value: ({ skipped }) => String(skipped) },
      { header: 'NEW ACCOUNTS', value: ({ wouldCreateAccounts }) => wouldCreateAccounts.join(', ') },
      { header: 'NEW CATEGORIES', value: ({ wouldCreateCategories }) => wouldCreateCategories.join(', ') },
    ],
    fields: [
      'dryRun',
      'rows',
      'created',
      'replayed',
      'failed',
      'skipped',
      'failures',
      'wouldRecord',
      'wouldCreateAccounts',
      'wouldCreateCategories',
    ],
  });
}

function tellFailures(
  printer: Printer,
  { failures, advice }: { failures: readonly RowFailure[]; advice: string | null },
): void {
  if (advice !== null) printer.warn(advice);
  // In JSON they are in the record, and a script that reads both streams would have them twice.
  if (printer.format !== 'table') return;
  const counts = new Map<string, number>();
  for (const { line, reason } of failures) {
    const kind = kindOf(reason);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    // The one sentence above stands for all of them.
    if (advice !== null && kind.includes(dateKind)) continue;
    if (count <= toldOfOneKindMax) printer.warn(`line ${line}: ${reason}`);
  }
  for (const [kind, count] of counts) {
    const isTold = advice !== null && kind.includes(dateKind);
    if (count > toldOfOneKindMax && !isTold) printer.warn(`and ${count - toldOfOneKindMax} more: ${kind}`);
  }
}

/** A wrong flag fails every row alike: past so many, another line of the same kind tells nobody anything. */
const toldOfOneKindMax = 20;
const dateKind = 'is not a date written as';

/** A reason without what it quotes of its row. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"/g, '"…"');
}
