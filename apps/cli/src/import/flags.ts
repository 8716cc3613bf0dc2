import { formatNames } from '@centavo/statement-reader';
import type { Command } from 'commander';
import { collect } from '../commands/shared/flags.js';

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
  readonly yes?: boolean;
  readonly recordAgain?: boolean;
  readonly skipRecorded?: boolean;
  readonly allExpenses?: boolean;
  readonly allIncomes?: boolean;
  readonly ignoreBalance?: boolean;
  readonly saveMapping?: boolean;
  /** `--no-saved-mapping` sets it to false. */
  readonly savedMapping?: boolean;
  readonly newKeys?: boolean;
  readonly dateColumn?: string;
  readonly dateFormat?: string;
  readonly amountColumn?: string;
  readonly debitColumn?: string;
  readonly creditColumn?: string;
  readonly feeColumn?: string;
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

/**
 * Declares the flags.
 * @source contract, section 11; it does not name all of them
 */
export function addImportFlags(command: Command): Command {
  return command
    .option('--format <format>', `${formatNames.join(', ')} (default: detected)`)
    .option('--account <account>', 'the account of all rows: id or name')
    .option('--account-column <header>', 'CSV: the column that names the account of each row')
    .option(
      '--statement-account <number>',
      'OFX, CAMT.053, QIF: import only this account of the file; NUMBER=ACCOUNT also gives its id or name in the tracker; repeatable (default: all, by the names in the file)',
      collect,
      [],
    )
    .option('--cashbox <cashbox>', 'the cashbox of --account, if it has several')
    .option(
      '--currency <code>',
      "currency of created accounts (default: the tracker's), and of rows in XXX (no currency) or in a code that was replaced, such as RUR",
    )
    .option(
      '--create-accounts',
      'create accounts that do not exist: of type credit_card if the name contains "card", else checking',
    )
    .option('--create-categories', 'create categories that do not exist')
    .option(
      '--pair-transfers',
      'record two opposite rows with the same amount in two of your accounts as one transfer; shows them first; needs movements:read',
    )
    .option('--pair-window-days <days>', 'the largest number of days between the two rows (default: 5)')
    .option(
      '--dry-run',
      'record nothing; show how the file is read, what would be recorded and what would be asked, and exit like the import',
    )
    .option(
      '--yes',
      'accept guessed columns and pairs that become transfers without a question, as scripts need; every other question names its own flag',
    )
    .option(
      '--skip-recorded',
      'leave out the rows that are recorded already, from another file, by hand, or by another user or key',
    )
    .option('--record-again', 'record those rows once more, as other transactions')
    .option('--all-expenses', 'CSV: amounts without a sign are expenses, even if no amount of the file has one')
    .option('--all-incomes', 'CSV: amounts without a sign are incomes, even if no amount of the file has one')
    .option('--ignore-balance', 'accept rows and amounts that a balance of the file contradicts')
    .option('--save-mapping', 'save how the file is read, for the next file with these headers')
    .option('--no-saved-mapping', 'ignore what was saved for these headers')
    .option(
      '--new-keys',
      'CSV: from now on, identify rows by the columns of this import; rows that were recorded before are recorded again',
    )
    .option('--date-column <header>', 'CSV: the date')
    .option('--date-format <tokens>', 'CSV, QIF: such as MM/DD/YYYY, D.M.YY, DD-MMM-YYYY (default: detected)')
    .option('--amount-column <header>', 'CSV: the amount, signed or with a direction column')
    .option('--debit-column <header>', 'CSV: money out; without --credit-column, the file has no money in')
    .option('--credit-column <header>', 'CSV: money in; without --debit-column, the file has no money out')
    .option('--fee-column <header>', 'CSV: the fee of each row, recorded as an expense of its own')
    .option('--direction-column <header>', 'CSV: a word that says expense or income')
    .option('--expense-word <word>', 'CSV: a word for expenses (default: debit and others); repeatable', collect, [])
    .option('--income-word <word>', 'CSV: a word for income (default: credit and others); repeatable', collect, [])
    .option('--description-column <header>', 'CSV: the description')
    .option('--merchant-column <header>', 'CSV: the merchant')
    .option(
      '--category-column <header>',
      'CSV: the category; rows then fail if it does not exist, and with a guessed column are recorded without it; "" for none',
    )
    .option('--currency-column <header>', 'CSV: the currency of each row')
    .option('--status-column <header>', 'CSV: the status of each row: final, pending or cancelled')
    .option('--final-status <word>', 'CSV: a status that means final; repeatable', collect, [])
    .option('--delimiter <character>', 'CSV: a character, or "tab" (default: detected)')
    .option('--encoding <label>', 'such as utf-8 or iso-8859-1 (default: detected)')
    .option('--decimal-separator <character>', 'CSV, QIF: "." or "," (default: detected)')
    .option('--minus <side>', 'CSV: what a minus means, "expense" or, on some cards, "income" (default: detected)');
}
