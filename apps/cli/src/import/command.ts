import type { Command } from 'commander';
import { type Cli, defineCommand } from '../commands/shared/define.js';
import { collect } from '../commands/shared/flags.js';
import type { ImportFlags } from './request.js';

/**
 * Declares `centavo import`, which records the rows of a bank statement. If the file is imported again, no row is recorded
 * twice.
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
    // Loaded on demand: the statement reader is almost half of the program, and other commands start faster without it.
    act: async (context, flags, [path = '']) => (await import('./run.js')).runImport(context, { flags, path }),
  });
}

/**
 * Declares the flags.
 * @source docs/contract.md, section 11, which does not name all flags
 */
function addImportFlags(command: Command): Command {
  return command
    .option('--format <format>', 'csv, ofx, qif, camt053 (default: detected)')
    .option('--account <account>', 'the account of all rows: id or name')
    .option(
      '--account-column <header>',
      'CSV: the column with the account of each row; "" if all rows belong to one account',
    )
    .option(
      '--statement-account <number>',
      'OFX, CAMT.053, QIF: import only this account of the file; NUMBER=ACCOUNT imports it into ACCOUNT (id or name); repeatable (default: all accounts, into the accounts with their names)',
      collect,
      [],
    )
    .option('--cashbox <cashbox>', 'the cashbox of --account, if the account has several')
    .option(
      '--currency <code>',
      "currency of created accounts (default: that of the file, otherwise the tracker's), and of rows with the code XXX (no currency) or an old code such as RUR",
    )
    .option(
      '--create-accounts',
      'create accounts that do not exist, with the type in the file; if the file has no type: credit_card for a name that contains "card", otherwise checking',
    )
    .option('--create-categories', 'create categories that do not exist')
    .option(
      '--pair-transfers',
      'record two opposite rows with the same amount in two of your accounts as one transfer, after showing them; needs movements:read and transfers:write',
    )
    .option('--pair-window-days <days>', 'the maximum number of days between the two rows (default: 5)')
    .option(
      '--dry-run',
      'record nothing; show how the file is read, how many rows would be recorded, and the questions that the import would ask; exit with the code that the import would have',
    )
    .option(
      '--yes',
      'for scripts: accept guessed columns and transfers, and confirm --undo; any other question ends the import with an error that names the flag that answers it',
    )
    .option(
      '--undo',
      'void the movements and transfers that an earlier import recorded from this file with these flags; shows their number and totals first',
    )
    .option(
      '--even-corrected',
      'with --undo: also void movements that were corrected after the import; otherwise they stay',
    )
    .option(
      '--skip-recorded',
      'omit the rows that are recorded already, from another file, by hand, or by another user or key',
    )
    .option(
      '--record-again',
      'record rows that look recorded already but are other transactions (--skip-recorded would omit them), and rows whose movement was voided',
    )
    .option('--all-expenses', 'CSV: record amounts without a sign as expenses')
    .option('--all-incomes', 'CSV: record amounts without a sign as incomes')
    .option('--ignore-balance', 'accept rows and amounts that contradict a balance of the file')
    .option('--save-mapping', 'save the column mapping for the next file with these headers')
    .option('--no-saved-mapping', 'ignore the column mapping that was saved for these headers')
    .option(
      '--new-keys',
      'CSV: from now on, identify rows by the columns of this import; rows that earlier imports recorded are recorded again if this file or a later file contains them',
    )
    .option('--date-column <header>', 'CSV: the date')
    .option('--date-format <tokens>', 'CSV, QIF: such as MM/DD/YYYY, D.M.YY, DD-MMM-YYYY (default: detected)')
    .option('--amount-column <header>', 'CSV: the amount, with a sign or a direction column')
    .option('--debit-column <header>', 'CSV: money out; without --credit-column, the file has expenses only')
    .option('--credit-column <header>', 'CSV: money in; without --debit-column, the file has incomes only')
    .option('--fee-column <header>', 'CSV: the fee of each row, recorded as a separate expense')
    .option('--direction-column <header>', 'CSV: a word or code for expense or income')
    .option('--expense-word <word>', 'CSV: a word for expenses (default: debit and others); repeatable', collect, [])
    .option('--income-word <word>', 'CSV: a word for income (default: credit and others); repeatable', collect, [])
    .option('--description-column <header>', 'CSV: the description')
    .option('--merchant-column <header>', 'CSV: the merchant')
    .option(
      '--category-column <header>',
      'CSV: the category ("" for none); a row whose category does not exist fails; if the column was guessed, the row is recorded without a category',
    )
    .option('--currency-column <header>', 'CSV: the currency of each row')
    .option(
      '--id-column <header>',
      'CSV: the bank\'s id of each row, unique in the file and recorded as externalId; "" records no ids, also in OFX and CAMT.053',
    )
    .option('--status-column <header>', 'CSV: the status of each row: booked, pending or cancelled')
    .option('--final-status <word>', 'CSV, OFX, QIF: a status of booked rows; repeatable', collect, [])
    .option('--skip-status <word>', 'CSV: a status whose rows are left out; repeatable', collect, [])
    .option('--delimiter <character>', 'CSV: a character, or "tab" (default: detected)')
    .option('--encoding <label>', 'such as utf-8 or iso-8859-1 (default: detected)')
    .option(
      '--decimal-separator <character>',
      'CSV, QIF: "." if amounts are written 1,234.56, "," if 1.234,56 (default: detected)',
    )
    .option(
      '--minus <side>',
      'CSV, OFX, QIF: the meaning of a minus, "expense" or, on some cards, "income" (default: detected)',
    );
}
