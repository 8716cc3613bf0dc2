import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatNames } from '@centavo/statement-reader';
import type { Command } from 'commander';
import type { CommandContext } from '../commands/shared/context.js';
import { type Cli, defineCommand } from '../commands/shared/define.js';
import { collect } from '../commands/shared/flags.js';
import { acquireFileLock } from '../config/file-lock.js';
import { configDirectory } from '../config/files.js';
import { describeError } from '../describe-error.js';
import { CliError } from '../errors.js';
import type { ExitCode } from '../exit-codes.js';
import { confirmPlan, type ImportPlan } from './confirm.js';
import { requireStatementAccounts } from './plan/accounts.js';
import { findDuplicates } from './plan/duplicates.js';
import { planPairs } from './plan/pairs.js';
import { RecordedTransfers } from './plan/recorded-transfers.js';
import { type ImportInput, readStatement, withRereadableFile } from './read.js';
import { recordStatement } from './record/record.js';
import { reportResult } from './report.js';
import { type ImportFlags, type ImportRequest, parseRequest } from './request.js';
import { undoImport } from './undo.js';

/**
 * Declares `centavo import`, which records each row of a statement as a movement. If the file is imported again, no row
 * is recorded twice.
 */
export function addImport(program: Command, cli: Cli): void {
  defineCommand<ImportFlags>(program, cli, {
    usage: 'import <file>',
    summary: 'Record the rows of a bank statement; another import of the same file records nothing twice',
    examples: [
      'centavo import statement.csv --account Checking',
      'centavo import statement.csv --account Checking --dry-run --yes',
      'centavo import statement.csv --account Checking --yes -o json',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --create-categories --yes',
      'centavo import export.csv --account Card --date-column Date --date-format DD/MM/YYYY --debit-column Out --credit-column In --yes',
      'centavo import personal-transactions.csv --account-column "Account Name" --create-accounts --pair-transfers --yes',
      'centavo import checking.ofx --account Checking --yes',
      'centavo import all-accounts.xml --statement-account "NL26VAYB8060476890=Checking" --statement-account "NL56AGDH9619008421=Savings" --yes',
      'centavo import quicken.qif --create-accounts --create-categories --date-format DD/MM/YYYY --yes',
      'centavo import statement.csv --account Checking --undo',
      'unzip -p export.zip | centavo import - --account Checking --yes',
    ],
    interruption: 'own',
    options: addImportFlags,
    act: (context, flags, [path = '']) =>
      withRereadableFile(path, {
        stdin: context.io.stdin,
        act: async (file) => {
          const request = parseRequest(context, { flags, file });
          if (flags.undo === true) return withImportLock(context, () => undo(request));
          return request.isDryRun ? planOnly(request) : withImportLock(context, () => importStatement(request));
        },
      }),
  });
}

/** Runs the phases of an import, and returns its exit code. Nothing is created or recorded before `recordStatement`. */
async function importStatement(request: ImportRequest): Promise<ExitCode> {
  const input = await readStatement(request);
  const plan = await planImport(request, input);
  const leftOut = await confirmPlan(request, plan);
  const result = await recordStatement(request, { input, plan, leftOut });
  return reportResult(request, { statement: input.statement, result });
}

/** Voids the movements and transfers that an import with the same flags recorded. Returns the exit code. */
async function undo(request: ImportRequest): Promise<ExitCode> {
  const input = await readStatement(request);
  const { statement, targets } = input;
  const { flags, choice, pairWindowDays } = request;
  await requireStatementAccounts(statement.accounts ?? [], { resolver: targets.accounts, choice, flags });
  const ofImport = { ...targets, transfers: RecordedTransfers.none() };
  const pairs =
    pairWindowDays === undefined
      ? undefined
      : await planPairs(statement, { targets: ofImport, windowDays: pairWindowDays });
  return undoImport(request, { input, pairs });
}

/**
 * Returns the plan of an import. Checks the accounts of the file, searches for rows that are recorded under other keys, and
 * finds pairs of rows that become transfers. Records nothing.
 *
 * @throws UsageError (exit 2) if an account of the file does not exist
 */
async function planImport(request: ImportRequest, input: ImportInput): Promise<ImportPlan> {
  const { flags, choice, pairWindowDays } = request;
  const { statement, targets } = input;
  await requireStatementAccounts(statement.accounts ?? [], { resolver: targets.accounts, choice, flags });
  const duplicates = await checkDuplicates(request, input);
  const pairs =
    pairWindowDays === undefined ? undefined : await planPairs(statement, { targets, windowDays: pairWindowDays });
  return { duplicates, pairs };
}

/** Returns the rows that are recorded under other keys, but no rows if the user accepts them with `--record-again`. */
async function checkDuplicates(
  { flags }: ImportRequest,
  { client, statement, targets, canReadMovements }: ImportInput,
): Promise<ImportPlan['duplicates']> {
  if (!canReadMovements) return 'not checked';
  const acceptsDuplicates = flags.recordAgain === true;
  return (await findDuplicates(client, { statement, targets, acceptsDuplicates })) ?? 'forbidden';
}

/**
 * Runs an import as a dry run, if possible to its end, and prints all questions that the import would ask.
 * @throws the error of the first question
 */
async function planOnly(request: ImportRequest): Promise<ExitCode> {
  const { context, questions } = request;
  const ending = await importStatement(request).then(
    (code) => ({ code, errors: [] }),
    (error: unknown) => ({ code: undefined, errors: [error] }),
  );
  const [first, ...others] = new Set([...questions.unanswered, ...ending.errors]);
  if (ending.code !== undefined && first === undefined) return ending.code;
  if (others.length > 0) context.printer.warn('The import would also stop for these reasons:');
  for (const error of others) {
    for (const line of describeError(error)) context.printer.warn(`  ${line}`);
  }
  throw first;
}

/**
 * Runs an import while no other import with this configuration directory runs on this machine, in any profile. Before
 * its first row, an import reads the accounts, the transfers, and the columns from which keys are calculated. So it
 * would not see the records of a concurrent import, and would count money twice. If the lock cannot be created, the
 * import prints a warning and continues.
 *
 * @throws InterruptedError (exit 130) if Ctrl-C ended the wait; every error of `act`
 */
async function withImportLock<Result>({ io, printer }: CommandContext, act: () => Promise<Result>): Promise<Result> {
  const { env, clock, interruption } = io;
  // One lock file for each machine: machines may share a home directory, but can only check their own processes.
  const path = join(configDirectory(env), `import-${hostname().replace(/[^\w.-]/g, '_')}.lock`);
  const onWait = (pid: number | undefined) =>
    printer.warn(`Another import is running (process ${pid ?? 'unknown'}). Waiting for it to finish.`);
  const release = await acquireFileLock(path, { clock, interruption, onWait }).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    printer.warn(`Could not prevent other imports (${reason}). Do not run another one until this one finishes.`);
    return async () => {};
  });
  try {
    return await act();
  } finally {
    await release();
  }
}

/**
 * Declares the flags.
 * @source contract, section 11, which does not name all flags
 */
function addImportFlags(command: Command): Command {
  return command
    .option('--format <format>', `${formatNames.join(', ')} (default: detected)`)
    .option('--account <account>', 'the account of all rows: id or name')
    .option(
      '--account-column <header>',
      'CSV: the column with the account of each row; "" if all rows belong to one account',
    )
    .option(
      '--statement-account <number>',
      'OFX, CAMT.053, QIF: import only this account of the file; NUMBER=ACCOUNT adds its id or name in the tracker; repeatable (default: all, by the names in the file)',
      collect,
      [],
    )
    .option('--cashbox <cashbox>', 'the cashbox of --account, if the account has several')
    .option(
      '--currency <code>',
      "currency of created accounts (default: the tracker's), and of rows with the code XXX (no currency) or an old code such as RUR",
    )
    .option(
      '--create-accounts',
      'create accounts that do not exist: of type credit_card if the name contains "card", otherwise checking',
    )
    .option('--create-categories', 'create categories that do not exist')
    .option(
      '--pair-transfers',
      'record two opposite rows with the same amount in two of your accounts as one transfer, after showing them; needs movements:read',
    )
    .option('--pair-window-days <days>', 'the maximum number of days between the two rows (default: 5)')
    .option(
      '--dry-run',
      'record nothing; show how the file is read, its rows and the questions; exit with the exit code of the import',
    )
    .option(
      '--yes',
      'do not ask about guessed columns and transfers, for scripts; every other question names the flag that answers it',
    )
    .option(
      '--undo',
      'void the movements of an import of this file with these flags, after showing their number and totals; corrected movements are not voided',
    )
    .option('--even-corrected', 'with --undo: also void movements that were corrected after the import')
    .option(
      '--skip-recorded',
      'omit the rows that are recorded already, from another file, by hand, or by another user or key',
    )
    .option(
      '--record-again',
      'also record the rows that --skip-recorded would omit, as other transactions, and rows whose movement was voided',
    )
    .option('--all-expenses', 'CSV: amounts without a sign are expenses, even if no amount of the file has a sign')
    .option('--all-incomes', 'CSV: amounts without a sign are incomes, even if no amount of the file has a sign')
    .option('--ignore-balance', 'accept rows and amounts that contradict a balance of the file')
    .option('--save-mapping', 'save the column mapping for the next file with these headers')
    .option('--no-saved-mapping', 'ignore the column mapping that was saved for these headers')
    .option(
      '--new-keys',
      'CSV: from now on, identify rows by the columns of this import; rows of earlier imports are recorded again',
    )
    .option('--date-column <header>', 'CSV: the date')
    .option('--date-format <tokens>', 'CSV, QIF: such as MM/DD/YYYY, D.M.YY, DD-MMM-YYYY (default: detected)')
    .option('--amount-column <header>', 'CSV: the amount, with a sign or a direction column')
    .option('--debit-column <header>', 'CSV: money out; without --credit-column, the file has expenses only')
    .option('--credit-column <header>', 'CSV: money in; without --debit-column, the file has incomes only')
    .option('--fee-column <header>', 'CSV: the fee of each row, recorded as a separate expense')
    .option('--direction-column <header>', 'CSV: a word for expense or income')
    .option('--expense-word <word>', 'CSV: a word for expenses (default: debit and others); repeatable', collect, [])
    .option('--income-word <word>', 'CSV: a word for income (default: credit and others); repeatable', collect, [])
    .option('--description-column <header>', 'CSV: the description')
    .option('--merchant-column <header>', 'CSV: the merchant')
    .option(
      '--category-column <header>',
      'CSV: the category ("" for none); a row whose category does not exist fails, or has no category if the column was guessed',
    )
    .option('--currency-column <header>', 'CSV: the currency of each row')
    .option(
      '--id-column <header>',
      'CSV: the bank\'s id of each row, unique in the file and recorded as externalId; "" for none',
    )
    .option('--status-column <header>', 'CSV: the status of each row: final, pending or cancelled')
    .option('--final-status <word>', 'CSV: a status that means final; repeatable', collect, [])
    .option('--skip-status <word>', 'CSV: a status whose rows are left out; repeatable', collect, [])
    .option('--delimiter <character>', 'CSV: a character, or "tab" (default: detected)')
    .option('--encoding <label>', 'such as utf-8 or iso-8859-1 (default: detected)')
    .option(
      '--decimal-separator <character>',
      'CSV, QIF: "." if amounts are written 1,234.56, "," if 1.234,56 (default: detected)',
    )
    .option('--minus <side>', 'CSV: the meaning of a minus, "expense" or, on some cards, "income" (default: detected)');
}
