import { UsageError } from '../../errors.js';
import { isSameNumber } from '../../statements/open-with-accounts.js';
import type { OpenedStatement, StatementAccount } from '../../statements/statement-format.js';
import type { AccountBook } from './account-book.js';
import type { ImportFlags } from './import-flags.js';

/** What `--statement-account` wishes: which accounts of the file, and what they are called here. */
export interface AccountWishes {
  readonly only: readonly string[];
  /** The name or id here of an account of the file; its own name where nothing else was said. */
  nameOf(statementAccount: string): string;
}

/** @throws UsageError (exit 2) for flags that exclude each other or are malformed */
export function readAccountWishes(flags: ImportFlags): AccountWishes {
  const wishes = flags.statementAccount.map((text) => {
    const [number = '', ...rest] = text.split('=');
    return { number: number.trim(), account: rest.length === 0 ? undefined : rest.join('=').trim() };
  });
  for (const { number, account } of wishes) {
    if (number !== '' && account !== '') continue;
    throw new UsageError('--statement-account is empty on one side.', 'Write NUMBER, or NUMBER=ACCOUNT.');
  }
  if (flags.account !== undefined && wishes.some(({ account }) => account !== undefined)) {
    throw new UsageError('--account and --statement-account NUMBER=ACCOUNT exclude each other.', 'Give one of them.');
  }
  return {
    only: wishes.map(({ number }) => number),
    nameOf: (name) => wishes.find(({ number }) => isSameNumber(number, name))?.account ?? name,
  };
}

/**
 * Requires that it is clear which account each row belongs to, before anything is sent.
 * @throws UsageError (exit 2) naming the accounts of the file, and the flag that settles it
 */
export function requireClearAccounts(statement: OpenedStatement, flags: ImportFlags): void {
  const accounts = statement.accounts ?? [];
  if (flags.account === undefined) {
    if (statement.namesAccounts) return;
    const remedy = statement.accounts === undefined ? 'Give --account, or --account-column.' : 'Give --account.';
    throw new UsageError('Which account the rows belong to is not clear.', remedy);
  }
  const namedCount = accounts.reduce((sum, { rowCount }) => sum + rowCount, 0);
  const hasSeveral = accounts.length > 1 || (accounts.length === 1 && namedCount < statement.rowCount);
  if (!hasSeveral) return;
  throw new UsageError(
    `--account is for one account, and the file has rows of several: ${accounts.map(describeAccount).join('; ')}.`,
    `Name one with --statement-account "${accounts[0]?.name}"; or leave --account out and say of each which it is, with --statement-account "${accounts[0]?.name}=ACCOUNT".`,
  );
}

/**
 * Requires that every account of the file is one of the tracker, in the same currency, before a row is recorded. With
 * `--create-accounts` the missing ones are made, with the kind and currency that the file tells.
 *
 * @throws UsageError (exit 2) listing the accounts that are not, and the remedy
 */
export async function requireStatementAccounts(
  accounts: readonly StatementAccount[],
  { book, wishes, flags }: { book: AccountBook; wishes: AccountWishes; flags: ImportFlags },
): Promise<void> {
  const problems: string[] = [];
  for (const account of accounts) {
    const name = flags.account ?? wishes.nameOf(account.name);
    if (flags.createAccounts === true && flags.currency !== undefined) {
      requireCurrency(account, { name, currencyCode: flags.currency });
    }
    const target = await book.find(name, account);
    if ('reason' in target) problems.push(`${target.reason}; the file has ${describeAccount(account)}`);
    else requireCurrency(account, target.found);
  }
  if (problems.length === 0) return;
  const example = accounts[0]?.name ?? 'NUMBER';
  const remedy =
    accounts.length === 1 ? 'Give --account' : `Say which it is with --statement-account "${example}=ACCOUNT"`;
  throw new UsageError(`${problems.join('. ')}.`, `${remedy}, or make it with --create-accounts.`);
}

/** The currency of a statement is the account's, or it is another account. */
function requireCurrency(account: StatementAccount, target: { name: string; currencyCode: string }): void {
  if (account.currencyCode === null || account.currencyCode === target.currencyCode) return;
  throw new UsageError(
    `The statement of ${account.name} is in ${account.currencyCode}, and the account ${target.name} in ${target.currencyCode}.`,
    `Name an account in ${account.currencyCode}.`,
  );
}

function describeAccount({ name, currencyCode, rowCount }: StatementAccount): string {
  return [`"${name}"`, currencyCode ?? undefined, `${rowCount} rows`].filter((text) => text !== undefined).join(', ');
}
