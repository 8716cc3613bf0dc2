import type { FinancialClient } from '@centavo/sdk';
import type { Command } from 'commander';
import { mappingDirectory } from '../../config/mapping-directory.js';
import { describeError } from '../../describe-error.js';
import { UsageError } from '../../errors.js';
import { type ExitCode, exitCodeOf, exitCodes } from '../../exit-codes.js';
import { openStatement } from '../../statements/open-statement.js';
import type { OpenedStatement } from '../../statements/statement-format.js';
import { startProgress } from '../../ui/progress.js';
import type { CommandContext as Invocation } from '../shared/context.js';
import { type Cli, defineCommand } from '../shared/define.js';
import { AccountBook } from './account-book.js';
import { CategoryBook } from './category-book.js';
import { confirmPairs } from './confirm-pairs.js';
import { confirmReading } from './confirm-reading.js';
import { confirmRecordAgain } from './confirm-record-again.js';
import { describeLeftOut } from './describe-left-out.js';
import { foreseeRefusals } from './foresee-refusals.js';
import {
  addImportFlags,
  type ImportFlags,
  readCsvWishes,
  readPairWindow,
  requireKnownCurrency,
} from './import-flags.js';
import { ImportTally } from './import-tally.js';
import { importInTurn } from './import-turn.js';
import { planPairs } from './plan-pairs.js';
import { prepareRows } from './prepare-rows.js';
import { printDryRun, printSummary } from './print-summary.js';
import { recordKnowably } from './record-knowably.js';
import { recordRows } from './record-rows.js';
import { settleTargets } from './row-targets.js';
import { settleCardSigns } from './settle-card-signs.js';
import {
  type AccountWishes,
  readAccountWishes,
  requireClearAccounts,
  requireStatementAccounts,
} from './statement-accounts.js';
import { withStatementFile } from './statement-file.js';
import { TransferLegs } from './transfer-legs.js';

/** `centavo import`: a statement's rows become movements, each once, however often the file is imported. */
export function addImport(program: Command, cli: Cli): void {
  defineCommand<ImportFlags>(program, cli, {
    usage: 'import <file>',
    summary: 'Record the rows of a statement; importing it again records nothing twice',
    examples: [
      'centavo import statement.csv --account Checking',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --create-categories --yes',
      'centavo import export.csv --account Card --date-column Date --date-format DD/MM/YYYY --debit-column Out --credit-column In',
      'centavo import statement.csv --account Checking --dry-run -o json',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --pair-transfers --yes',
      'centavo import checking.ofx --account Checking',
      'centavo import all-accounts.xml --statement-account "NL26VAYB8060476890=Checking" --statement-account "NL56AGDH9619008421=Savings"',
      'centavo import quicken.qif --create-accounts --create-categories --date-format DD/MM/YYYY',
      'unzip -p export.zip | centavo import - --account Checking --yes',
    ],
    interruption: 'own',
    options: addImportFlags,
    act: (invocation, flags, [file = '']) =>
      withStatementFile(file, invocation.io.stdin, (path) => importStatement(invocation, flags, path)),
  });
}

async function importStatement(invocation: Invocation, flags: ImportFlags, path: string): Promise<ExitCode> {
  requireKnownCurrency(flags);
  const wishes = readAccountWishes(flags);
  const request = {
    flags,
    wishes,
    windowDays: readPairWindow(flags),
    file: {
      path,
      format: flags.format,
      csv: readCsvWishes(flags),
      mappings: mappingDirectory(invocation.store.directory),
      onlyAccounts: wishes.only,
    },
  };
  const act = () => readAndRecord(invocation, request);
  return flags.dryRun === true ? act() : importInTurn(invocation, act);
}

/** What was asked for, checked as far as it can be without the file. */
interface ImportRequest {
  readonly flags: ImportFlags;
  readonly wishes: AccountWishes;
  readonly windowDays: number | undefined;
  readonly file: Parameters<typeof openStatement>[0];
}

async function readAndRecord(
  invocation: Invocation,
  { flags, wishes, windowDays, file }: ImportRequest,
): Promise<ExitCode> {
  const { printer, io } = invocation;
  const opened = await openStatement(file);
  requireClearAccounts(opened, flags);

  const client = await invocation.clientInTracker();
  const accounts = await openAccounts(client, flags);
  const minusMeans = await settleCardSigns(opened, { invocation, flags, accounts });
  const statement =
    minusMeans === undefined ? opened : await openStatement({ ...file, csv: { ...file.csv, minusMeans } });
  const categories = await openCategories(client, { statement, flags });
  const leftOut = describeLeftOut(categories.foresee(statement.categories?.names ?? []), categories);
  const legs = await openLegs(client, { invocation, flags });
  const books = { accounts, categories, legs: legs ?? TransferLegs.none() };
  // What is asked and refused before the first row must not have made an account.
  const rehearsal = { ...books, accounts: books.accounts.rehearse() };
  const request = { statement, flags, wishes };
  const rehearse = () => settleTargets(client, { ...request, books: rehearsal });
  await confirmReading(statement, { invocation, flags, categories: leftOut, beforeAsking: rehearse });
  const rehearsed = await rehearse();
  await requireStatementAccounts(statement.accounts ?? [], { book: rehearsal.accounts, wishes, flags });
  if (legs !== undefined) await confirmRecordAgain(client, { statement, targets: rehearsed, invocation, flags });
  const plan = windowDays === undefined ? undefined : await planPairs(statement, { targets: rehearsed, windowDays });
  if (plan !== undefined) await confirmPairs(plan, { invocation, flags });

  const targets = flags.dryRun === true ? rehearsed : await settleTargets(client, { ...request, books });
  const tally = new ImportTally();
  const progress = startProgress({ ...io, total: statement.rowCount, isHidden: invocation.isQuiet });
  const rows = prepareRows(statement.rows(), { targets, plan: plan ?? noPlan });
  const stop = await recordRows({
    rows: flags.dryRun === true ? foreseeRefusals(rows, io.clock.nowMs()) : rows,
    record: flags.dryRun === true ? async () => 'planned' : recordKnowably(client, { statement, printer }),
    tally,
    clock: io.clock,
    interruption: io.interruption,
    onRowDone: progress.advance,
  });
  progress.clear();

  if (flags.dryRun === true) await printDryRun(printer, { statement, tally, targets });
  else await printSummary(printer, tally, { statement, categories });
  return tellEnd(invocation, { statement, tally, stop });
}

/** Where nothing has been planned, every row goes alone, and any may be there again. */
const noPlan = { partnerOf: () => undefined, mayRepeat: () => true };

/** The categories of the tracker; they are not asked for where the statement names none. */
function openCategories(
  client: FinancialClient,
  { statement, flags }: { statement: OpenedStatement; flags: ImportFlags },
): Promise<CategoryBook> | CategoryBook {
  if (statement.categories === undefined) return CategoryBook.none(client);
  const mayCreate = flags.createCategories === true;
  const mayLeaveOut = !mayCreate && !statement.categories.areAskedFor;
  return CategoryBook.load(client, { mayCreate, mayLeaveOut, isDryRun: flags.dryRun === true });
}

/** The accounts of the tracker, and those that an import adds to them. */
function openAccounts(client: FinancialClient, flags: ImportFlags): Promise<AccountBook> {
  const isDryRun = flags.dryRun === true;
  const mayCreate = flags.createAccounts === true;
  return AccountBook.load(client, { mayCreate, isDryRun, currencyCode: flags.currency });
}

/** The transfers of the tracker, whose halves are not recorded again; undefined where movements may not be read. */
async function openLegs(
  client: FinancialClient,
  { invocation, flags }: { invocation: Invocation; flags: ImportFlags },
): Promise<TransferLegs | undefined> {
  const legs = await TransferLegs.load(client);
  if (legs === undefined) {
    const told = 'This key may not read movements (movements:read), so rows that are half of a transfer already';
    if (flags.pairTransfers === true) throw new UsageError(`${told} cannot be told from others.`, 'Use another key.');
    invocation.printer.note(`${told}, or that another user or key has recorded, are recorded again.`);
  }
  return legs;
}

function tellEnd(
  { printer, io }: Invocation,
  end: { statement: OpenedStatement; tally: ImportTally; stop: { readonly error: unknown } | undefined },
): ExitCode {
  const { tally, stop } = end;
  const safe = describeStanding(tally, end.statement.rowCount);
  if (stop !== undefined) {
    for (const line of describeError(stop.error, { isImport: true })) printer.warn(line);
    printer.warn(`The import stopped there: ${safe}`);
    return exitCodeOf(stop.error);
  }
  if (io.interruption.aborted) {
    printer.warn(`Interrupted: ${safe}`);
    return exitCodes.interrupted;
  }
  return tally.summarize(end.statement.rowCount).failed > 0 ? exitCodes.failure : exitCodes.ok;
}

/** Where an import stands that has ended early. */
function describeStanding(tally: ImportTally, rows: number): string {
  const unknown = tally.unknown === 0 ? '' : `, of ${tally.unknown} it is not known`;
  const left = tally.countUnreached(rows);
  const unreached = `${left} ${left === 1 ? 'was' : 'were'} not reached`;
  const recorded = tally.recorded === 1 ? '1 row is recorded' : `${tally.recorded} rows are recorded`;
  return `${recorded}${unknown}, ${unreached}; running it again is safe and records nothing twice.`;
}
