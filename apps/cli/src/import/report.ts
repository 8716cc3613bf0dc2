import type { OpenedStatement } from '@centavo/statement-reader';
import { describeError } from '../describe-error.js';
import { type ExitCode, exitCodeOf, exitCodes } from '../exit-codes.js';
import type { Printer } from '../ui/printer.js';
import { type CategoryResolver, describeLeftOutCategories } from './plan/categories.js';
import type { RowDestinations } from './plan/rows.js';
import type { ImportResult } from './record/record.js';
import type { ImportSummary, ImportTally } from './record/tally.js';
import type { ImportRequest } from './request.js';

/** Prints the result of an import and returns its exit code. */
export async function reportResult(
  { context, flags, isDryRun }: ImportRequest,
  { statement, result }: { statement: OpenedStatement; result: ImportResult },
): Promise<ExitCode> {
  const { printer, io } = context;
  const { tally, destinations, stop } = result;
  if ((flags.feeColumn ?? '') !== '') printer.note('ROWS counts each fee as a separate row.');
  const summary = tally.summarize(statement.rowCount);
  printFailures(printer, { summary, advice: statement.interpretation?.advice ?? null });
  printSkipped(printer, tally);
  printLeftOut(printer, destinations.categories);
  if (isDryRun) await printDryRun(printer, { summary, tally, destinations });
  else await printSummary(printer, { summary, tally, headers: statement.identityHeaders ?? [] });
  const progress = describeProgress(tally, statement.rowCount);
  if (stop !== undefined) {
    for (const line of describeError(stop.error, { isImport: true })) printer.warn(line);
    printer.warn(`The import stopped: ${progress}`);
    return exitCodeOf(stop.error);
  }
  if (io.interruption.aborted) {
    printer.warn(`Interrupted: ${progress}`);
    return exitCodes.interrupted;
  }
  return summary.failed > 0 ? exitCodes.failure : exitCodes.ok;
}

/** Describes the progress of an import that ended early. */
function describeProgress(tally: ImportTally, rows: number): string {
  const unknown =
    tally.unknown === 0 ? '' : `, ${tally.unknown} ${tally.unknown === 1 ? 'has' : 'have'} an unknown outcome`;
  const left = tally.countUnreached(rows);
  const unreached = `${left} ${left === 1 ? 'was' : 'were'} not reached`;
  const recorded = tally.recorded === 1 ? '1 row is recorded' : `${tally.recorded} rows are recorded`;
  return `${recorded}${unknown}, ${unreached}; run the import again to continue; nothing is recorded twice.`;
}

/** Prints the summary to stdout, and the warnings to stderr. */
async function printSummary(
  printer: Printer,
  { summary, tally, headers }: { summary: ImportSummary; tally: ImportTally; headers: readonly string[] },
): Promise<void> {
  printOtherDetails(printer, { otherDetails: tally.otherDetails, headers });
  printVoided(printer, tally.voided);
  if (tally.pairs > 0) {
    printer.note(`${tally.pairs * 2} rows form ${tally.pairs === 1 ? '1 transfer' : `${tally.pairs} transfers`}.`);
  }
  if (tally.splitPairs > 0) {
    const [found, rows] =
      tally.splitPairs === 1
        ? ['a row of 1 pair as a movement', 'The two rows of this pair']
        : [`rows of ${tally.splitPairs} pairs as movements`, 'The two rows of each of these pairs'];
    printer.warn(
      `An earlier import recorded ${found}. ${rows} are recorded as movements, because a transfer would count the money twice.`,
    );
  }
  await printer.printRecord(summary, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'CREATED', value: ({ created }) => String(created) },
      { header: 'REPLAYED', value: ({ replayed }) => String(replayed) },
      { header: 'FAILED', value: ({ failed }) => String(failed) },
      { header: 'SKIPPED', value: ({ skipped }) => String(skipped) },
      ...alreadyRecordedColumn(summary),
    ],
    fields: ['rows', 'created', 'replayed', 'failed', 'skipped', 'failures', ...alreadyRecordedField(summary)],
  });
}

/**
 * Returns the column ALREADY RECORDED if the import skipped recorded rows. If not, returns no column, so that the output
 * of such an import has only the columns that existing scripts expect.
 */
function alreadyRecordedColumn({ alreadyRecorded }: ImportSummary): readonly { header: string; value: () => string }[] {
  return alreadyRecorded === undefined ? [] : [{ header: 'ALREADY RECORDED', value: () => String(alreadyRecorded) }];
}

function alreadyRecordedField({ alreadyRecorded }: ImportSummary): readonly 'alreadyRecorded'[] {
  return alreadyRecorded === undefined ? [] : ['alreadyRecorded'];
}

/**
 * Prints, even with `--quiet`, which rows were recorded before with other details. If such a row is in fact a different
 * transaction with the same key, this transaction was not recorded.
 */
function printOtherDetails(
  printer: Printer,
  {
    otherDetails: { count, lines },
    headers,
  }: { otherDetails: ImportTally['otherDetails']; headers: readonly string[] },
): void {
  if (count === 0) return;
  const subject = count === 1 ? '1 of the replayed rows was' : `${count} of the replayed rows were`;
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  printer.warn(
    `${subject} recorded before with another description, merchant, category, cashbox or direction. The import did not change ${count === 1 ? 'it' : 'them'}. ${otherDetailsRemedy}`,
  );
  printer.warn(
    `${count === 1 ? 'It is' : 'They are'} in ${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}.`,
  );
  if (headers.length === 0) return;
  const names = headers.map((header) => `"${header}"`).join(', ');
  printer.warn(
    `The import identifies rows by ${names}. If one of these rows is a different transaction, it was not recorded.`,
  );
  printer.warn('Add it with "centavo movements add", or import the next files with --new-keys (see --help).');
}

/** Prints the number of voided records even with `--quiet`, because the balances do not include them. */
function printVoided(printer: Printer, count: number): void {
  if (count === 0) return;
  const subject = count === 1 ? '1 of the replayed rows was' : `${count} of the replayed rows were`;
  printer.warn(
    `${subject} recorded before and voided later, so the balances do not include ${count === 1 ? 'it' : 'them'}.`,
  );
  printer.warn(
    `${count === 1 ? 'It was' : 'They were'} not recorded again. To record ${count === 1 ? 'it' : 'them'} again, import the file with --record-again.`,
  );
}

/** Does not name day, direction, account and cashbox, because `movements correct` cannot change them. */
const otherDetailsRemedy = 'Change texts, category or amount with "centavo movements correct".';

/** Prints what an import would do. A dry run prints all fields that an import prints, so that one script can read both outputs. */
async function printDryRun(
  printer: Printer,
  { summary, tally, destinations }: { summary: ImportSummary; tally: ImportTally; destinations: RowDestinations },
): Promise<void> {
  printer.note(
    'Dry run: nothing was recorded. If you have imported some of these rows before, WOULD RECORD counts them too, but the import does not record them again.',
  );
  const record = {
    dryRun: true,
    ...summary,
    wouldRecord: tally.planned,
    wouldPair: tally.pairs,
    wouldCreateAccounts: destinations.accounts.wouldCreate,
    wouldCreateCategories: destinations.categories.wouldCreate,
  };
  await printer.printRecord(record, {
    columns: [
      { header: 'ROWS', value: ({ rows }) => String(rows) },
      { header: 'WOULD RECORD', value: ({ wouldRecord }) => String(wouldRecord) },
      { header: 'TRANSFERS', value: ({ wouldPair }) => String(wouldPair) },
      { header: 'FAILED', value: ({ failed }) => String(failed) },
      { header: 'SKIPPED', value: ({ skipped }) => String(skipped) },
      ...alreadyRecordedColumn(summary),
      ...namesColumn('NEW ACCOUNTS', record.wouldCreateAccounts),
      ...namesColumn('NEW CATEGORIES', record.wouldCreateCategories),
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
      ...alreadyRecordedField(summary),
    ],
  });
}

/** Returns a column with the names, or no column if there are no names. */
function namesColumn(header: string, names: readonly string[]): readonly { header: string; value: () => string }[] {
  return names.length === 0 ? [] : [{ header, value: () => names.join(', ') }];
}

function printLeftOut(printer: Printer, categories: CategoryResolver): void {
  const leftOut = describeLeftOutCategories(categories.leftOut, categories);
  if (leftOut !== undefined) printer.note(`${leftOut}.`);
}

function printSkipped(printer: Printer, tally: ImportTally): void {
  for (const [reason, count] of tally.skippedByReason) printer.note(`${count} skipped: ${reason}`);
}

function printFailures(
  printer: Printer,
  { summary, advice }: { summary: Pick<ImportSummary, 'failed' | 'failures'>; advice: string | null },
): void {
  const { failed, failures } = summary;
  if (advice !== null) printer.warn(advice);
  if (failed > failures.length) printer.warn(`The first ${failures.length} of ${failed} failures are listed.`);
  // In all formats except `table`, stdout contains the failures. If stderr contained them too, a script would get them twice.
  if (printer.format !== 'table') return;
  printUnresolvedNames(printer, failures);
  const counts = new Map<string, number>();
  for (const { line, reason } of failures) {
    if (unresolvedName.test(reason)) continue;
    const kind = kindOf(reason);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    // The advice, which is printed above, covers all rows whose date does not have the chosen format.
    if (advice !== null && kind.includes(dateKind)) continue;
    if (count <= listedOfOneKindMax) printer.warn(`line ${line}: ${reason}`);
  }
  for (const [kind, count] of counts) {
    const isCovered = advice !== null && kind.includes(dateKind);
    if (count > listedOfOneKindMax && !isCovered) printer.warn(`and ${count - listedOfOneKindMax} more: ${kind}`);
  }
}

/** Prints one sentence for each account and category that could not be resolved, with the number of rows. */
function printUnresolvedNames(printer: Printer, failures: ImportSummary['failures']): void {
  const found = new Map<string, { count: number; firstLine: number }>();
  for (const { line, reason } of failures) {
    if (!unresolvedName.test(reason)) continue;
    const known = found.get(reason);
    if (known === undefined) found.set(reason, { count: 1, firstLine: line });
    else known.count += 1;
  }
  for (const [reason, { count, firstLine }] of found) {
    const remedy = / \((--[^()]*)\)$/.exec(reason);
    const sentence = (remedy === null ? reason : reason.slice(0, remedy.index)).replace(/^./, (letter) =>
      letter.toUpperCase(),
    );
    const lines = count === 1 ? `line ${firstLine}` : `${count} rows; first line ${firstLine}`;
    printer.warn(`${sentence} (${lines})${remedy === null ? '' : `; ${remedy[1]}`}.`);
  }
}

/** Matches each failure reason of `AccountResolver` and `CategoryResolver` except "cannot create the account/category …". */
const unresolvedName = /^(there is no|several|the) (accounts?|category|categories) /;

/** The maximum number of printed failures with the same kind of reason. With a wrong flag, all rows may fail for one kind of reason. */
const listedOfOneKindMax = 20;
const dateKind = 'is not a date written as';

/** Returns the kind of a failure reason: the reason without its quoted values. */
function kindOf(reason: string): string {
  return reason.replace(/"[^"]*"/g, '"…"');
}
