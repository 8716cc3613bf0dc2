import type { FinancialClient } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../cli-error.js';
import { describeError } from '../../describe-error.js';
import { type ExitCode, exitCodeOf, exitCodes } from '../../exit-codes.js';
import { mappingDirectory } from '../../settings/mapping-directory.js';
import { type OpenedStatement, openStatement } from '../../statements/statement-format.js';
import { startProgress } from '../../terminal/progress-bar.js';
import { addCommand, type Cli } from '../add-command.js';
import { chooseByName } from '../choose-by-name.js';
import type { Invocation } from '../invocation.js';
import { requireCashboxId } from '../record-ids.js';
import { AccountBook } from './account-book.js';
import { CategoryBook } from './category-book.js';
import { confirmReading } from './confirm-reading.js';
import { addImportFlags, type ImportFlags, readCsvWishes } from './import-flags.js';
import { ImportTally } from './import-tally.js';
import { type PreparedRow, prepareRows, type RowTargets } from './prepare-rows.js';
import { printDryRun, printSummary } from './print-summary.js';
import { recordRows } from './record-rows.js';
import { withStatementFile } from './statement-file.js';

/** `centavo import`: a statement's rows become movements, each once, however often the file is imported. */
export function addImport(program: Command, cli: Cli): void {
  addCommand<ImportFlags>(program, cli, {
    usage: 'import <file>',
    summary: 'Record the rows of a statement; importing it again records nothing twice',
    examples: [
      'centavo import statement.csv --account Checking',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --create-categories --yes',
      'centavo import export.csv --account Card --date-column Date --date-format DD/MM/YYYY --debit-column Out --credit-column In',
      'centavo import statement.csv --account Checking --dry-run -o json',
      'unzip -p export.zip | centavo import - --account Checking --yes',
    ],
    interruption: 'own',
    options: addImportFlags,
    act: (invocation, flags, [file = '']) =>
      withStatementFile(file, invocation.surroundings.stdin, (path) => importStatement(invocation, flags, path)),
  });
}

async function importStatement(invocation: Invocation, flags: ImportFlags, path: string): Promise<ExitCode> {
  const { printer, surroundings } = invocation;
  const mappings = mappingDirectory(invocation.store.directory);
  const statement = await openStatement({ path, format: flags.format, csv: readCsvWishes(flags), mappings });
  if (flags.account === undefined && !statement.namesAccounts) {
    throw new UsageError('Which account the rows belong to is not clear.', 'Give --account, or --account-column.');
  }
  await confirmReading(statement, { invocation, flags });

  const client = await invocation.clientInTracker();
  const targets = await findTargets(client, { flags, format: statement.format });
  const tally = new ImportTally();
  const progress = startProgress({ ...surroundings, total: statement.rowCount, isHidden: invocation.isQuiet });
  const stop = await recordRows({
    rows: prepareRows(statement.rows(), targets),
    record: flags.dryRun === true ? async () => 'planned' : (row) => recordMovement(client, row),
    tally,
    clock: surroundings.clock,
    interruption: surroundings.interruption,
    onRowDone: progress.advance,
  });
  progress.clear();

  if (flags.dryRun === true) await printDryRun(printer, { statement, tally, targets });
  else await printSummary(printer, tally.summarize(statement.rowCount), { advice: statement.reading?.advice ?? null });
  return tellEnd(invocation, { statement, tally, stop });
}

async function recordMovement(client: FinancialClient, row: PreparedRow): Promise<'created' | 'replayed'> {
  if (row.key === null) throw new Error(`The row of line ${row.line} has no key.`);
  const { replayed } = await client.movements.create(row.body, { idempotencyKey: row.key }).withResponse();
  return replayed ? 'replayed' : 'created';
}

async function findTargets(
  client: FinancialClient,
  { flags, format }: { flags: ImportFlags; format: string },
): Promise<RowTargets> {
  const isDryRun = flags.dryRun === true;
  const mayCreate = flags.createAccounts === true;
  const accounts = await AccountBook.load(client, { mayCreate, isDryRun, currencyCode: flags.currency });
  const categories = await CategoryBook.load(client, { mayCreate: flags.createCategories === true, isDryRun });
  if (flags.account === undefined) return { format, accounts, categories, single: null };
  const account = await requireAccount(client, { accounts, name: flags.account, mayCreate });
  const cashboxId =
    flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, account.id ?? undefined);
  return { format, accounts, categories, single: { account, cashboxId } };
}

/** The account of every row must exist before any row is read; its absence is not one row's failure. */
async function requireAccount(
  client: FinancialClient,
  { accounts, name, mayCreate }: { accounts: AccountBook; name: string; mayCreate: boolean },
) {
  const account = await accounts.find(name, null);
  if ('found' in account) return account.found;
  if (mayCreate) throw new UsageError(`Of the account nothing can be recorded: ${account.reason}.`);
  return chooseByName({ noun: 'account', wanted: name, records: (await client.accounts.list()).data });
}

function tellEnd(
  { printer, surroundings }: Invocation,
  end: { statement: OpenedStatement; tally: ImportTally; stop: { readonly error: unknown } | undefined },
): ExitCode {
  const { tally, stop } = end;
  const safe = describeStanding(tally, end.statement.rowCount);
  if (stop !== undefined) {
    for (const line of describeError(stop.error, { isImport: true })) printer.warn(line);
    printer.warn(`The import stopped there: ${safe}`);
    return exitCodeOf(stop.error);
  }
  if (surroundings.interruption.aborted) {
    printer.warn(`Interrupted: ${safe}`);
    return exitCodes.interrupted;
  }
  return tally.summarize(end.statement.rowCount).failed > 0 ? exitCodes.failure : exitCodes.ok;
}

/** Where an import stands that has ended early. */
function describeStanding(tally: ImportTally, rows: number): string {
  const unknown = tally.unknown === 0 ? '' : `, of ${tally.unknown} it is not known`;
  const unreached = `${tally.countUnreached(rows)} were not reached`;
  return `${tally.recorded} rows are recorded${unknown}, ${unreached}; running it again is safe and records nothing twice.`;
}
