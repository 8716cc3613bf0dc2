import type { OpenedStatement } from '../../statements/statement-format.js';
import type { Printer } from '../../ui/printer.js';
import type { CategoryBook } from './category-book.js';
import { describeLeftOut } from './describe-left-out.js';
import type { ImportSummary, ImportTally } from './import-tally.js';
import type { RowTargets } from './row-targets.js';

/** Prints what an import has come to; people read the failed rows, by line, and what was skipped, on stderr. */
export async function printSummary(
  printer: Printer,
  tally: ImportTally,
  { statement, categories }: { statement: OpenedStatement; categories: CategoryBook },
): Promise<void> {
  const summary = tally.summarize(statement.rowCount);
  tellFailures(printer, { summary, advice: statement.reading?.advice ?? null });
  tellSkipped(printer, tally);
  tellLeftOut(printer, categories);
  tellKept(printer, { kept: tally.kept, headers: statement.identityHeaders ?? [] });
  if (tally.pairs > 0) {
    printer.note(
      `${tally.pairs === 1 ? '1 transfer stands' : `${tally.pairs} transfers stand`} for ${tally.pairs * 2} rows.`,
    );
  }
  if (tally.pairsApart > 0) {
    const rows = tally.pairsApart === 1 ? 'the rows of 1 pair' : `the rows of each of ${tally.pairsApart} pairs`;
    printer.warn(
      `One or both of ${rows} had been recorded as movements before, so both are movements: a transfer would count them twice.`,
    );
  }
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

/** A new row may have been taken for one of these, and would be lost: they are named, and `--quiet` does not hide it. */
function tellKept(
  printer: Printer,
  { kept: { count, lines }, headers }: { kept: ImportTally['kept']; headers: readonly string[] },
): void {
  if (count === 0) return;
  const told = 'recorded before with other details and';
  const subject =
    count === 1 ? `1 of the replayed rows was ${told} stays so` : `${count} of the replayed rows were ${told} stay so`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  printer.warn(`${subject}${keptRemedy}`);
  printer.warn(
    `${count === 1 ? 'It is' : 'They are'} in ${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}.`,
  );
  if (headers.length === 0) return;
  const names = headers.map((header) => `"${header}"`).join(', ');
  printer.warn(`Rows are known by ${names}. Where one of these is another row all the same, it is not recorded:`);
  printer.warn('add it with centavo movements add, or import the next files with --new-keys, see --help.');
}

/** What cannot be corrected (day, side, account, cashbox) is not named as if it could. */
const keptRemedy =
  ' (another description, merchant, category, cashbox or side); centavo movements correct changes texts, category and amount.';

/** Prints what an import would do. The summary's keys are there too, so that one script reads both. */
export async function printDryRun(
  printer: Printer,
  plan: { statement: OpenedStatement; tally: ImportTally; targets: RowTargets },
): Promise<void> {
  const summary = plan.tally.summarize(plan.statement.rowCount);
  tellFailures(printer, { summary, advice: plan.statement.reading?.advice ?? null });
  tellSkipped(printer, plan.tally);
  tellLeftOut(printer, plan.targets.categories);
  printer.note('Dry run: nothing was recorded. Of rows that are recorded already it knows only those in transfers.');
  const record = {
    dryRun: true,
    ...summary,
    wouldRecord: plan.tally.planned,
    wouldPair: plan.tally.pairs,
    wouldCreateAccounts: plan.targets.accounts.created,
    wouldCreateCategories: plan.targets.categories.created,
  };
  await printer.printRecord(record, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'WOULD RECORD', value: ({ wouldRecord }) => String(wouldRecord) },
      { header: 'TRANSFERS', value: ({ wouldPair }) => String(wouldPair) },
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
      'wouldPair',
      'wouldCreateAccounts',
      'wouldCreateCategories',
    ],
  });
}

function tellLeftOut(printer: Printer, categories: CategoryBook): void {
  const told = describeLeftOut(categories.leftOut, categories);
  if (told !== undefined) printer.note(`${told}.`);
}

function tellSkipped(printer: Printer, tally: ImportTally): void {
  for (const [reason, count] of tally.skippedByReason) printer.note(`${count} skipped: ${reason}`);
}

function tellFailures(
  printer: Printer,
  { summary, advice }: { summary: Pick<ImportSummary, 'failed' | 'failures'>; advice: string | null },
): void {
  const { failed, failures } = summary;
  if (advice !== null) printer.warn(advice);
  if (failed > failures.length) printer.warn(`Of ${failed} failures the first ${failures.length} are listed.`);
  // In JSON they are in the record, and a script that reads both streams would have them twice.
  if (printer.format !== 'table') return;
  tellMissing(printer, failures);
  const counts = new Map<string, number>();
  for (const { line, reason } of failures) {
    if (missing.test(reason)) continue;
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

/** One sentence for each account and category that rows could not have, however many they are. */
function tellMissing(printer: Printer, failures: ImportSummary['failures']): void {
  const found = new Map<string, { count: number; firstLine: number }>();
  for (const { line, reason } of failures) {
    if (!missing.test(reason)) continue;
    const known = found.get(reason);
    if (known === undefined) found.set(reason, { count: 1, firstLine: line });
    else known.count += 1;
  }
  for (const [reason, { count, firstLine }] of found) {
    const remedy = / \((--[^()]*)\)$/.exec(reason);
    const sentence = (remedy === null ? reason : reason.slice(0, remedy.index)).replace(/^./, (letter) =>
      letter.toUpperCase(),
    );
    const places = count === 1 ? `line ${firstLine}` : `${count} rows; first line ${firstLine}`;
    printer.warn(`${sentence} (${places})${remedy === null ? '' : `; ${remedy[1]}`}.`);
  }
}

/** What `AccountBook` and `CategoryBook` say of a name. */
const missing = /^(there is no|several|the) (accounts?|category|categories) /;

/** A wrong flag fails every row alike: past so many, another line of the same kind tells nobody anything. */
const toldOfOneKindMax = 20;
const dateKind = 'is not a date written as';

/** A reason without what it quotes of its row. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"/g, '"…"');
}
