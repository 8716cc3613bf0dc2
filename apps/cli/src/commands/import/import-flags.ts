import { currencyCodes } from '@centavo/sdk';
import type { Command } from 'commander';
import { UsageError } from '../../errors.js';
import type { CsvColumnName, CsvColumns } from '../../statements/csv/csv-columns.js';
import type { CsvWishes } from '../../statements/csv/csv-plan.js';
import { formatNames } from '../../statements/open-statement.js';
import { collect } from '../shared/flags.js';

/** The flags of `centavo import`, as commander gives them. */
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
  readonly yes?: boolean;
  readonly recordAgain?: boolean;
  readonly allExpenses?: boolean;
  readonly saveMapping?: boolean;
  /** commander's spelling of `--no-saved-mapping`: false when it was given. */
  readonly savedMapping?: boolean;
  readonly newKeys?: boolean;
  readonly dateColumn?: string;
  readonly dateFormat?: string;
  readonly amountColumn?: string;
  readonly debitColumn?: string;
  readonly creditColumn?: string;
  readonly directionColumn?: string;
  readonly expenseWord: readonly string[];
  readonly incomeWord: readonly string[];
  readonly descriptionColumn?: string;
  readonly merchantColumn?: string;
  readonly categoryColumn?: string;
  readonly currencyColumn?: string;
  readonly statusColumn?: string;
  readonly finalStatus: readonly string[];
  readonly pairTransfers?: boolean;
  readonly pairWindowDays?: string;
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly decimalSeparator?: string;
  readonly minus?: string;
}

/** Declares the flags. Source: contract, section 11; those that it does not name are ours. */
export function addImportFlags(command: Command): Command {
  return command
    .option('--format <format>', `${formatNames.join(', ')} (default: detected)`)
    .option('--account <account>', 'the account of every row, id or name')
    .option('--account-column <header>', 'CSV: the column that names the account of each row')
    .option(
      '--statement-account <number>',
      'OFX, CAMT.053, QIF: of the accounts in the file only this one; NUMBER=ACCOUNT also says which account it is here; repeatable (default: each one is the account of that name)',
      collect,
      [],
    )
    .option('--cashbox <cashbox>', 'the cashbox of --account, where it has several')
    .option('--currency <code>', "currency of accounts that are made (default: the tracker's)")
    .option('--create-accounts', 'make accounts that do not exist: checking, or credit_card if "card" is in the name')
    .option('--create-categories', 'make categories that do not exist')
    .option(
      '--pair-transfers',
      'make one transfer of two opposite rows of two own accounts with the same amount; shown first; needs movements:read',
    )
    .option('--pair-window-days <days>', 'how many days the two may be apart (default: 5)')
    .option('--dry-run', 'read and resolve everything, record nothing')
    .option('--yes', 'accept what is shown: guessed columns, unsigned amounts as expenses, pairs that become transfers')
    .option('--record-again', 'record the rows also where another user or key has recorded them already')
    .option('--all-expenses', 'CSV: amounts without a sign are expenses, also where the file has no sign at all')
    .option('--save-mapping', 'keep how the file was read, for the next one with these headers')
    .option('--no-saved-mapping', 'read the file as if nothing had been kept for its headers')
    .option(
      '--new-keys',
      'CSV: know rows by the columns of this reading, from now on; rows that were recorded before are recorded again',
    )
    .option('--date-column <header>', 'CSV: the date')
    .option('--date-format <tokens>', 'CSV, QIF: such as MM/DD/YYYY, D.M.YY, DD-MMM-YYYY (default: detected)')
    .option('--amount-column <header>', 'CSV: the amount, signed or beside a direction')
    .option('--debit-column <header>', 'CSV: money out')
    .option('--credit-column <header>', 'CSV: money in')
    .option('--direction-column <header>', 'CSV: a word that says expense or income')
    .option('--expense-word <word>', 'CSV: a word for expenses (default: debit and others); repeatable', collect, [])
    .option('--income-word <word>', 'CSV: a word for income (default: credit and others); repeatable', collect, [])
    .option('--description-column <header>', 'CSV: the description')
    .option('--merchant-column <header>', 'CSV: the merchant')
    .option(
      '--category-column <header>',
      'CSV: the category, which then has to be there; one that is only guessed is left out where it is not; "" for none',
    )
    .option('--currency-column <header>', 'CSV: the currency of each row')
    .option('--status-column <header>', 'CSV: whether each row is final, pending, or did not happen')
    .option('--final-status <word>', 'CSV: a word of the status that says final; repeatable', collect, [])
    .option('--delimiter <character>', 'CSV: a character, or "tab" (default: detected)')
    .option('--encoding <label>', 'such as utf-8 or iso-8859-1 (default: detected)')
    .option('--decimal-separator <character>', 'CSV, QIF: "." or "," (default: detected)')
    .option('--minus <side>', 'CSV: what a minus is, "expense" or, on some cards, "income" (default: detected)');
}

/**
 * What the flags wish of a CSV file. An empty column flag wishes that there be no such column.
 * @throws UsageError (exit 2) for flags that exclude each other or are malformed
 */
export function readCsvWishes(flags: ImportFlags): CsvWishes {
  if (flags.account !== undefined && flags.accountColumn !== undefined) {
    throw new UsageError('--account and --account-column exclude each other.', 'Give one of them.');
  }
  if (flags.amountColumn !== undefined && (flags.debitColumn ?? flags.creditColumn) !== undefined) {
    throw new UsageError('--amount-column excludes --debit-column and --credit-column.', 'Give one or the other two.');
  }
  if (flags.allExpenses === true && flags.minus === 'expense') {
    throw new UsageError('--all-expenses and --minus expense exclude each other.', 'Give one of them.');
  }
  if (flags.cashbox !== undefined && flags.account === undefined) {
    throw new UsageError('--cashbox needs --account.', 'Name the account that the cashbox is in.');
  }
  const named: Record<CsvColumnName, string | undefined> = {
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
  };
  const columns: Partial<CsvColumns> = Object.fromEntries(
    Object.entries(named).filter(([, header]) => header !== undefined),
  );
  return {
    columns,
    encoding: flags.encoding,
    delimiter: flags.delimiter === undefined ? undefined : readDelimiter(flags.delimiter),
    dateFormat: flags.dateFormat,
    decimalSeparator: flags.decimalSeparator === undefined ? undefined : readSeparator(flags.decimalSeparator),
    expenseWords: flags.expenseWord,
    incomeWords: flags.incomeWord,
    finalStatuses: flags.finalStatus,
    account: flags.account,
    hasOneAccount: flags.account !== undefined,
    minusMeans: flags.minus === undefined ? undefined : readSide(flags.minus),
    allExpenses: flags.allExpenses,
    ignoresSaved: flags.savedMapping === false,
    newKeys: flags.newKeys,
  };
}

/**
 * How far apart the rows of a pair may be, in days; undefined where no pairs are wanted.
 * @throws UsageError (exit 2) for a number that is none
 */
export function readPairWindow(flags: ImportFlags): number | undefined {
  const text = flags.pairWindowDays;
  if (text !== undefined && flags.pairTransfers !== true) {
    throw new UsageError('--pair-window-days needs --pair-transfers.', 'Give both.');
  }
  if (flags.pairTransfers !== true) return undefined;
  if (text === undefined) return pairWindowDaysDefault;
  if (/^\d{1,2}$/.test(text)) return Number(text);
  throw new UsageError(`--pair-window-days "${text}" is not a number of days from 0 to 99.`, 'Use one such as 3.');
}

/** Contract, section 11. */
const pairWindowDaysDefault = 5;

/** @throws UsageError (exit 2) for what is no currency */
export function requireKnownCurrency({ currency }: ImportFlags): void {
  if (currency === undefined || currencyCodes.has(currency)) return;
  const code = currency.toUpperCase();
  const example = currencyCodes.has(code) ? code : 'EUR';
  throw new UsageError(`--currency "${currency}" is no currency code of ISO 4217.`, `Use one such as ${example}.`);
}

function readDelimiter(text: string): string {
  const delimiter = text === 'tab' || text === '\\t' ? '\t' : text;
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new UsageError(`--delimiter "${text}" is not one character.`, 'Use one such as ; or the word tab.');
}

function readSide(text: string): 'expense' | 'income' {
  if (text === 'expense' || text === 'income') return text;
  throw new UsageError(`--minus "${text}" is not known.`, 'Use expense or income.');
}

function readSeparator(text: string): '.' | ',' {
  if (text === '.' || text === ',') return text;
  throw new UsageError(`--decimal-separator "${text}" is not known.`, 'Use . or ,');
}
