import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinancialClient } from '@centavo/sdk';
import {
  type KnownAccount,
  type OpenedStatement,
  openStatement,
  StatementError,
  type StatementRow,
} from '@centavo/statement-reader';
import { UsageError } from '../../errors.js';
import type { InputStream } from '../../io.js';
import { AccountResolver, requireUnambiguousAccounts, withNamedCurrency } from '../plan/accounts.js';
import { CategoryResolver } from '../plan/categories.js';
import { RecordedTransfers } from '../plan/recorded/recorded-transfers.js';
import { type RowDestinations, resolveDestinations } from '../plan/rows.js';
import type { ImportRequest, StatementFile } from '../request.js';
import { askCardSigns } from './card-signs.js';
import {
  confirmInterpretation,
  findSidesOfCard,
  refuseBalanceOfDebt,
  saveInterpretation,
  showInterpretation,
} from './confirm-interpretation.js';

/** A statement, and those records of the tracker to which the rows of the statement refer. */
export interface ImportInput {
  readonly client: FinancialClient;
  readonly statement: OpenedStatement;
  readonly accounts: AccountResolver;
  readonly categories: CategoryResolver;
  readonly transfers: RecordedTransfers;
  /** Whether the credential may read movements. If not, `transfers` is empty. */
  readonly canReadMovements: boolean;
  /** The accounts, cashbox and categories to which the rows go. Finding them creates no account. */
  readonly destinations: RowDestinations;
}

/**
 * Opens the statement, and reads the accounts, categories and transfers of the tracker. Shows the user how the import interprets the
 * file, for example which column it reads as the date. If the interpretation is in doubt, asks the user to confirm it. Creates no
 * account, because the user may still cancel the import.
 *
 * @throws UsageError (exit 2) if the file cannot be read, or the user does not confirm the interpretation
 * @throws UnknownNameError (exit 5) if `--account` or `--cashbox` does not exist
 */
export async function readStatement(request: ImportRequest): Promise<ImportInput> {
  const { context, flags, accountChoice, file } = request;
  const findAccount = () => findNamedAccount(request);
  const open = async (options: Partial<typeof file.csv>) => {
    const statement = await openFile({ ...file, csv: { ...file.csv, findAccount, ...options } }, request);
    return withNamedCurrency(statement, flags.currency);
  };
  const guessed = await open({});
  requireAccounts(guessed, request);
  const client = await context.clientInTracker();
  const accounts = await loadAccounts(client, request);
  const sides = findSidesOfCard(guessed, { request, accounts });
  const opened = sides === undefined ? guessed : await open({ columns: { ...file.csv.columns, ...sides } });
  refuseBalanceOfDebt(opened, { request, accounts });
  const minusMeans = await askCardSigns(opened, { request, accounts });
  const statement = minusMeans === undefined ? opened : await open({ minusMeans });
  const categories = await loadCategories(client, { statement, request });
  const transfers = await loadTransfers(client, request);
  const records = { accounts: accounts.asDryRun(), categories, transfers: transfers ?? RecordedTransfers.none() };

  const questions = showInterpretation(statement, { request, categories });
  if (questions.length === 0 && flags.saveMapping === true && !request.isDryRun) {
    await saveInterpretation(statement, context);
  }
  // An unknown account is reported before the user is asked to confirm, because the import would fail after any answer.
  const destinations = await resolveDestinations(client, { statement, flags, accountChoice, records });
  if (questions.length > 0) await confirmInterpretation(statement, { questions, context });
  const canReadMovements = transfers !== undefined;
  return { client, statement, accounts, categories, transfers: records.transfers, canReadMovements, destinations };
}

/**
 * Opens a statement. Turns every `StatementError` into a usage error, including those that occur later, when the rows are read.
 * Some of these errors ask the user a question and contain a possible answer. After such an error, a dry run continues with this
 * answer, to find further questions.
 * @throws UsageError (exit 2) if the statement cannot be read with these flags
 */
async function openFile(
  file: ImportRequest['file'],
  request: Pick<ImportRequest, 'context' | 'isDryRun' | 'questions'>,
): Promise<OpenedStatement> {
  const statement = await openStatement(file).catch((error: unknown) => {
    const { context, isDryRun, questions } = request;
    if (!isDryRun || !(error instanceof StatementError) || error.possibleAnswer === undefined)
      throw toUsageError(error);
    const isRepeated = questions.unanswered.some(({ message }) => message === error.message);
    if (isRepeated) throw toUsageError(error);
    questions.refuse(new UsageError(error.message, error.remedy));
    context.printer.warn(
      `${error.message} The dry run continues with one of the answers, to find the other questions.`,
    );
    return openFile({ ...file, csv: { ...file.csv, ...error.possibleAnswer } }, request);
  });
  const { interpretation } = statement;
  const save = interpretation?.save?.bind(interpretation);
  return {
    ...statement,
    rows: () => rowsWithUsageErrors(statement.rows()),
    interpretation:
      interpretation === null || save === undefined
        ? interpretation
        : { ...interpretation, save: () => withUsageErrors(save) },
  };
}

async function withUsageErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw toUsageError(error);
  }
}

async function* rowsWithUsageErrors(rows: AsyncIterable<StatementRow>): AsyncGenerator<StatementRow> {
  try {
    yield* rows;
  } catch (error) {
    throw toUsageError(error);
  }
}

function toUsageError(error: unknown): unknown {
  return error instanceof StatementError ? new UsageError(error.message, error.remedy) : error;
}

/**
 * Requires that the account of each row is unambiguous, as `requireUnambiguousAccounts` does. If it is ambiguous, a dry run
 * first shows how the import interprets the file, and then fails.
 * @throws UsageError (exit 2) if the account of a row is ambiguous
 */
function requireAccounts(statement: OpenedStatement, request: ImportRequest): void {
  const { flags, isDryRun, questions } = request;
  try {
    requireUnambiguousAccounts(statement, flags);
  } catch (error) {
    if (isDryRun && error instanceof UsageError) {
      questions.refuse(error);
      showInterpretation(statement, { request, categories: undefined });
    }
    throw error;
  }
}

/** Returns facts about the account of `--account`; undefined without this flag, or if no single account has this name. */
async function findNamedAccount(request: ImportRequest): Promise<KnownAccount | undefined> {
  const { account } = request.flags;
  if (account === undefined) return undefined;
  const accounts = await loadAccounts(await request.context.clientInTracker(), request);
  return accounts.describe(account);
}

function loadAccounts(client: FinancialClient, { flags, isDryRun }: ImportRequest): Promise<AccountResolver> {
  const mayCreate = flags.createAccounts === true;
  return AccountResolver.load(client, { mayCreate, isDryRun, currencyCode: flags.currency });
}

/** Reads the categories of the tracker, if the statement has categories. */
async function loadCategories(
  client: FinancialClient,
  { statement, request }: { statement: OpenedStatement; request: ImportRequest },
): Promise<CategoryResolver> {
  if (statement.categories === undefined) return CategoryResolver.withoutCategories(client);
  const mayCreate = request.flags.createCategories === true;
  const mayLeaveOut = !mayCreate && !statement.categories.areRequested;
  return CategoryResolver.load(client, { mayCreate, mayLeaveOut, isDryRun: request.isDryRun });
}

/**
 * Reads the transfers of the tracker. Returns undefined if the credential may not read movements.
 * @throws UsageError (exit 2) if the credential may not read movements and `--pair-transfers` or `--skip-recorded` is set
 */
async function loadTransfers(
  client: FinancialClient,
  { context, flags }: ImportRequest,
): Promise<RecordedTransfers | undefined> {
  const transfers = await RecordedTransfers.load(client, { withVoided: flags.recordAgain !== true });
  if (transfers !== undefined) return transfers;
  const cause = 'This key may not read movements (movements:read)';
  if (flags.pairTransfers === true) {
    throw new UsageError(
      `${cause}, so the import cannot find transfers that are already recorded.`,
      'Use another key.',
    );
  }
  if (flags.skipRecorded === true) {
    throw new UsageError(`${cause}, so the import cannot find rows that are already recorded.`, 'Use another key.');
  }
  context.printer.note(
    `${cause}, so the import cannot recognize all recorded rows. It may record a row a second time if the row is one side of a recorded transfer, or was recorded from another file, by hand, or by another user or key.`,
  );
  return undefined;
}

/**
 * Runs `act` on a file that can be read several times, because an import reads its file more than once. Standard input (`-`, `/dev/stdin`),
 * named pipes and process substitutions (`<(…)`) are copied first. Only the owner can read the copy, and it is removed when `act` ends.
 *
 * @throws UsageError (exit 2) if standard input is a terminal; every error of `act`
 */
export async function withRereadableFile<Result>(
  path: string,
  { stdin, act }: { stdin: InputStream; act: (file: StatementFile) => Promise<Result> },
): Promise<Result> {
  const isStdin = stdinNames.has(path);
  if (!isStdin && !(await isPipe(path))) return act({ path, name: path });
  if (isStdin && stdin.isTTY === true)
    throw new UsageError('Standard input is a terminal.', 'Pipe the statement into the command.');
  const directory = await mkdtemp(join(tmpdir(), 'centavo-import-'));
  const copy = join(directory, 'statement');
  try {
    await writeCopy(copy, isStdin ? stdin : createReadStream(path));
    return await act({ path: copy, name: isStdin ? 'Standard input' : path });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const stdinNames: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/**
 * Returns whether a path is a pipe, a socket or a character device. Returns false for a file that does not exist or
 * cannot be read, because the error is reported later, when the file is opened.
 */
function isPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFIFO() || stats.isSocket() || stats.isCharacterDevice(),
    () => false,
  );
}

async function writeCopy(copy: string, content: AsyncIterable<Buffer | string>): Promise<void> {
  const file = await open(copy, 'wx', 0o600);
  try {
    for await (const chunk of content) await file.appendFile(chunk);
  } finally {
    await file.close();
  }
}
