import { currencyCodes } from '@centavo/contracts/calls';
import {
  type CsvColumnName,
  type CsvColumns,
  type CsvOptions,
  fileSource,
  isSameNumber,
  type openStatement,
} from '@centavo/statement-reader';
import type { CommandContext } from '../commands/shared/context.js';
import { balanceDirectory, mappingDirectory } from '../config/mapping-directory.js';
import { type CliError, UsageError } from '../errors.js';

/** The flags of `centavo import`, as commander returns them. */
export interface ImportFlags {
  readonly format?: string;
  readonly account?: string;
  readonly accountColumn?: string;
  readonly statementAccount: readonly string[];
  readonly cashbox?: string;
  readonly currency?: string;
  readonly createAccounts?: boolean;
  readonly createCategories?: boolean;
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly evenCorrected?: boolean;
  readonly yes?: boolean;
  readonly recordAgain?: boolean;
  readonly skipRecorded?: boolean;
  readonly allExpenses?: boolean;
  readonly allIncomes?: boolean;
  readonly ignoreBalance?: boolean;
  readonly saveMapping?: boolean;
  /** False if the user set `--no-saved-mapping`. */
  readonly savedMapping?: boolean;
  readonly newKeys?: boolean;
  readonly dateColumn?: string;
  readonly dateFormat?: string;
  readonly amountColumn?: string;
  readonly debitColumn?: string;
  readonly creditColumn?: string;
  readonly feeColumn?: string;
  readonly idColumn?: string;
  readonly directionColumn?: string;
  readonly expenseWord: readonly string[];
  readonly incomeWord: readonly string[];
  readonly descriptionColumn?: string;
  readonly merchantColumn?: string;
  readonly categoryColumn?: string;
  readonly currencyColumn?: string;
  readonly statusColumn?: string;
  readonly finalStatus: readonly string[];
  readonly skipStatus: readonly string[];
  readonly pairTransfers?: boolean;
  readonly pairWindowDays?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly decimalSeparator?: string;
  readonly minus?: string;
}

/** One run of `centavo import`. Its flags are checked as far as possible before the file is read. */
export interface ImportRequest {
  readonly context: CommandContext;
  readonly flags: ImportFlags;
  readonly isDryRun: boolean;
  readonly questions: Questions;
  /** The accounts of the file that `--statement-account` selects. */
  readonly accountChoice: StatementAccountChoice;
  /** The maximum number of days between the two rows of a transfer; undefined without `--pair-transfers`. */
  readonly pairWindowDays: number | undefined;
  readonly file: Parameters<typeof openStatement>[0];
}

/** The accounts that `--statement-account` selects from the file, and their names in the tracker. */
export interface StatementAccountChoice {
  /** The numbers of the selected accounts; empty if all accounts are imported. */
  readonly only: readonly string[];
  /**
   * Returns the name or id that an account of the file has in the tracker. If no flag maps the account, returns the
   * account's name in the file.
   */
  targetOf(statementAccount: string): string;
}

/** A file that can be read several times, and its name in messages. */
export interface StatementFile {
  readonly path: string;
  readonly name: string;
}

/** Checks and parses the flags of an import. @throws UsageError (exit 2) for flags that exclude each other or are malformed */
export function parseRequest(
  context: CommandContext,
  { flags, file: { path, name } }: { flags: ImportFlags; file: StatementFile },
): ImportRequest {
  requireKnownCurrency(flags);
  const accountChoice = parseStatementAccounts(flags);
  const pairWindowDays = parsePairWindow(flags);
  if (flags.recordAgain === true && flags.skipRecorded === true) {
    throw new UsageError('--record-again and --skip-recorded cannot be combined.', 'Use one of them.');
  }
  requireUndoFlags(flags);
  const file = {
    source: { ...fileSource(path), name },
    format: flags.format,
    csv: parseCsvOptions(flags),
    mappings: mappingDirectory(context.store.directory),
    balances: balanceDirectory(context.store.directory),
    onlyAccounts: accountChoice.only,
  };
  const isDryRun = flags.dryRun === true;
  const questions = new Questions(context, { isDryRun });
  return { context, flags, isDryRun, questions, accountChoice, pairWindowDays, file };
}

/**
 * Checks the flags of an undo.
 * @throws UsageError (exit 2) for a flag that cannot be combined with `--undo`, and for `--even-corrected` without `--undo`
 */
function requireUndoFlags(flags: ImportFlags): void {
  if (flags.undo !== true) {
    if (flags.evenCorrected !== true) return;
    throw new UsageError('--even-corrected needs --undo.', 'Use both.');
  }
  const refused = (['recordAgain', 'skipRecorded', 'createAccounts', 'saveMapping', 'newKeys'] as const).find(
    (name) => flags[name] === true,
  );
  if (refused === undefined) return;
  const flag = `--${refused.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UsageError(`--undo and ${flag} cannot be combined.`, `Leave out ${flag}.`);
}

/** Checks `--currency`. @throws UsageError (exit 2) for an unknown currency code */
function requireKnownCurrency({ currency }: ImportFlags): void {
  if (currency === undefined || currencyCodes.has(currency)) return;
  const code = currency.toUpperCase();
  const example = currencyCodes.has(code) ? code : 'EUR';
  throw new UsageError(`--currency "${currency}" is not an ISO 4217 currency code.`, `Use a code such as ${example}.`);
}

/** Parses `--statement-account`. @throws UsageError (exit 2) for flags that exclude each other or are malformed */
function parseStatementAccounts(flags: ImportFlags): StatementAccountChoice {
  const choices = flags.statementAccount.map((text) => {
    const [number = '', ...rest] = text.split('=');
    const choice = { number: number.trim(), account: rest.length === 0 ? undefined : rest.join('=').trim() };
    if (choice.number !== '' && choice.account !== '') return choice;
    throw new UsageError(`--statement-account "${text}" is incomplete.`, 'Write NUMBER or NUMBER=ACCOUNT.');
  });
  if (flags.account !== undefined && choices.some(({ account }) => account !== undefined)) {
    throw new UsageError('--account and --statement-account NUMBER=ACCOUNT cannot be combined.', 'Use one of them.');
  }
  return {
    only: choices.map(({ number }) => number),
    targetOf: (name) => choices.find(({ number }) => isSameNumber(number, name))?.account ?? name,
  };
}

/**
 * Returns the maximum number of days between the two rows of a transfer, or undefined without `--pair-transfers`.
 * @throws UsageError (exit 2) for a malformed number, and for `--pair-window-days` without `--pair-transfers`
 */
function parsePairWindow(flags: ImportFlags): number | undefined {
  const text = flags.pairWindowDays;
  if (text !== undefined && flags.pairTransfers !== true) {
    throw new UsageError('--pair-window-days needs --pair-transfers.', 'Use both.');
  }
  if (flags.pairTransfers !== true) return undefined;
  if (text === undefined) return pairWindowDaysDefault;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new UsageError(`--pair-window-days "${text}" is not a number of days from 0 to 99.`, 'Use a number such as 3.');
}

/** @source docs/contract.md, section 11 */
const pairWindowDaysDefault = 5;

/**
 * Returns the options for reading a CSV file. An empty column flag means that the file has no such column.
 * @throws UsageError (exit 2) for flags that exclude each other or are malformed, and for `--cashbox` without `--account`
 */
function parseCsvOptions(flags: ImportFlags): CsvOptions {
  if (flags.account !== undefined && (flags.accountColumn ?? '') !== '') {
    throw new UsageError('--account and --account-column cannot be combined.', 'Use one of them.');
  }
  if (flags.amountColumn !== undefined && (flags.debitColumn ?? flags.creditColumn) !== undefined) {
    throw new UsageError(
      '--amount-column cannot be combined with --debit-column or --credit-column.',
      'Use --amount-column, or --debit-column and --credit-column.',
    );
  }
  if (flags.allExpenses === true && flags.minus === 'expense') {
    throw new UsageError('--all-expenses and --minus expense cannot be combined.', 'Use one of them.');
  }
  if (flags.allIncomes === true && flags.minus === 'income') {
    throw new UsageError('--all-incomes and --minus income cannot be combined.', 'Use one of them.');
  }
  if (flags.allIncomes === true && flags.allExpenses === true) {
    throw new UsageError('--all-incomes and --all-expenses cannot be combined.', 'Use one of them.');
  }
  if (flags.cashbox !== undefined && flags.account === undefined) {
    throw new UsageError('--cashbox needs --account.', 'Add the account that the cashbox belongs to.');
  }
  const named: Record<Exclude<CsvColumnName, 'payer'>, string | undefined> = {
    date: flags.dateColumn,
    amount: flags.amountColumn,
    debit: flags.debitColumn,
    credit: flags.creditColumn,
    direction: flags.directionColumn,
    description: flags.descriptionColumn,
    merchant: flags.merchantColumn,
    category: flags.categoryColumn,
    account: flags.accountColumn,
    currency: flags.currencyColumn,
    status: flags.statusColumn,
    fee: flags.feeColumn,
    id: flags.idColumn,
  };
  const columns: Partial<CsvColumns> = Object.fromEntries(
    Object.entries(named).filter(([, header]) => header !== undefined),
  );
  return {
    columns,
    encoding: flags.encoding,
    delimiter: flags.delimiter === undefined ? undefined : parseDelimiter(flags.delimiter),
    dateFormat: flags.dateFormat,
    decimalSeparator: flags.decimalSeparator === undefined ? undefined : parseSeparator(flags.decimalSeparator),
    expenseWords: flags.expenseWord,
    incomeWords: flags.incomeWord,
    finalStatuses: flags.finalStatus,
    skippedStatuses: flags.skipStatus,
    account: flags.account,
    hasOneAccount: flags.account !== undefined,
    minusMeans: flags.minus === undefined ? undefined : parseMinus(flags.minus),
    allExpenses: flags.allExpenses,
    allIncomes: flags.allIncomes,
    ignoresBalance: flags.ignoreBalance,
    copiedRows: copiedRowsOf(flags),
    ignoresSaved: flags.savedMapping === false,
    newKeys: flags.newKeys,
  };
}

/**
 * Returns what to do with rows that an earlier statement of the same file also contains (`CsvOptions.copiedRows`). An undo also
 * looks for their records, because the import may have recorded them with `--record-again`.
 */
function copiedRowsOf({ skipRecorded, recordAgain, undo }: ImportFlags): CsvOptions['copiedRows'] {
  if (skipRecorded === true) return 'skip';
  return recordAgain === true || undo === true ? 'record' : undefined;
}

function parseDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter "${text}" is not valid.`, 'Use one character such as ; or the word tab.');
}

function parseMinus(text: string): 'expense' | 'income' {
  if (text === 'expense' || text === 'income') return text;
  throw new UsageError(`--minus "${text}" is not valid.`, 'Use expense or income.');
}

function parseSeparator(text: string): '.' | ',' {
  if (text === '.' || text === ',') return text;
  throw new UsageError(`--decimal-separator "${text}" is not valid.`, 'Use . for 1,234.56 or , for 1.234,56.');
}

/**
 * The questions of an import. If the user cannot be asked, each question becomes an error. An import stops with the first of
 * these errors. A dry run asks no questions: it collects the errors and continues. At its end it throws the first error, so
 * that exit code and message are the same as in an import that cannot ask.
 */
export class Questions {
  /** The errors of the questions that a dry run did not ask, in order. */
  readonly unanswered: CliError[] = [];
  /** Whether the user can be asked. */
  readonly canAsk: boolean;
  /** The reason why the user cannot be asked, as a sentence. */
  readonly whyNot: string;
  readonly #isDryRun: boolean;

  constructor({ prompt }: CommandContext, { isDryRun }: { isDryRun: boolean }) {
    this.canAsk = prompt.isInteractive && !isDryRun;
    this.whyNot = prompt.isInteractive
      ? 'A dry run asks no question.'
      : 'The import cannot ask (no terminal, or --no-input).';
    this.#isDryRun = isDryRun;
  }

  /** In a dry run, adds `error` to `unanswered`. @throws `error` if this is not a dry run */
  refuse(error: CliError): void {
    if (!this.#isDryRun) throw error;
    this.unanswered.push(error);
  }
}
