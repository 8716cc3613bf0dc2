import { UsageError } from '../errors.js';
import { RepeatedIds } from './repeated-ids.js';
import { addRow, describeSums, noSums, type RowSums } from './row-sums.js';
import type { OpenedStatement, StatementAccount } from './statement-format.js';
import type { StatementRow } from './statement-row.js';

/** A row beside the account that the file puts it in; `row` is null where an account is named that may have none. */
export interface AccountRow {
  readonly account: FileAccount | null;
  readonly row: StatementRow | null;
}

/** An account as a file names it: its number or name, and what tells it from another one of the same number. */
export interface FileAccount extends Pick<StatementAccount, 'type' | 'currencyCode'> {
  readonly number: string;
  readonly detail: string;
}

/**
 * Opens a statement that names its accounts by itself. The whole file is read once before anything is done with it, so
 * that one that breaks off, or is not what it seems, is refused before a row is recorded.
 *
 * @param file.read reads the file from its beginning, as often as it is called, in constant memory
 * @param file.only the accounts that are wanted, by number or name; none: all
 * @throws UsageError (exit 2) as `read` does, and for a wanted account that the file does not have
 */
export async function openWithAccounts(file: {
  readonly path: string;
  readonly format: string;
  readonly read: () => AsyncIterable<AccountRow>;
  readonly only: readonly string[] | undefined;
  readonly reading: Partial<NonNullable<OpenedStatement['reading']>> | null;
}): Promise<OpenedStatement> {
  const only = file.only ?? [];
  const found = await surveyAccounts(file.read());
  const named = nameAccounts(found.accounts);
  const chosen = chooseAccounts([...named.values()], { only, path: file.path });
  const names = new Set(chosen.map(({ name }) => name));
  const nameOf = (account: FileAccount | null) =>
    account === null ? null : (named.get(identityOf(account))?.name ?? '');
  async function* rows(): AsyncGenerator<StatementRow> {
    for await (const { account, row } of file.read()) {
      if (row === null) continue;
      const accountName = nameOf(account);
      if (only.length > 0 && (accountName === null || !names.has(accountName))) continue;
      yield row.outcome === 'transaction' ? { ...row, transaction: { ...row.transaction, accountName } } : row;
    }
  }
  const chosenCount = chosen.reduce((sum, { rowCount }) => sum + rowCount, 0);
  return {
    format: file.format,
    rowCount: only.length > 0 ? chosenCount : chosenCount + found.nameless.rowCount,
    namesAccounts: chosen.length > 0 && (only.length > 0 || found.nameless.rowCount === 0),
    accounts: chosen.filter(({ rowCount }) => rowCount > 0),
    mayRepeat: found.mayRepeat,
    rows,
    reading: {
      doubt: null,
      advice: null,
      save: async () => {
        throw new UsageError('--save-mapping is for CSV: other files have no headers to be known by.', 'Leave it out.');
      },
      ...file.reading,
      lines: [
        ...(file.reading?.lines ?? []),
        ...describeAccounts({ found, names: only.length > 0 ? names : undefined, nameOf }),
      ],
    },
  };
}

/** A line for each account of a file: what of it is going to be recorded, for a person to see that it is the right one. */
function describeAccounts(file: {
  readonly found: SurveyedFile;
  readonly names: ReadonlySet<string> | undefined;
  readonly nameOf: (account: FileAccount | null) => string | null;
}): readonly (readonly [label: string, value: string])[] {
  const { found, names, nameOf } = file;
  const sums = [...found.accounts.values()].flatMap((account) => {
    const name = nameOf(account) ?? '';
    return names === undefined || names.has(name)
      ? [{ name, currencyCode: account.currencyCode, sums: account.sums }]
      : [];
  });
  if (names === undefined) sums.push({ name: 'no account named', currencyCode: null, sums: found.nameless });
  return sums
    .filter(({ sums: { rowCount } }) => rowCount > 0)
    .map(
      ({ name, currencyCode, sums: found }) => ['account', `${name}, ${describeSums(found, currencyCode)}`] as const,
    );
}

type SurveyedAccount = { -readonly [Name in keyof FileAccount]: FileAccount[Name] } & { readonly sums: RowSums };
type SurveyedFile = Awaited<ReturnType<typeof surveyAccounts>>;

async function surveyAccounts(rows: AsyncIterable<AccountRow>) {
  const accounts = new Map<string, SurveyedAccount>();
  const ids = new RepeatedIds();
  const nameless = noSums();
  for await (const { account, row } of rows) {
    const id = row?.outcome === 'transaction' ? row.transaction.statementId : null;
    if (id !== null) ids.see(id);
    if (account === null) {
      if (row !== null) addRow(nameless, row);
      continue;
    }
    const identity = identityOf(account);
    const known = accounts.get(identity) ?? { ...account, sums: noSums() };
    accounts.set(identity, known);
    if (row !== null) addRow(known.sums, row);
    known.type ??= account.type;
    known.currencyCode ??= account.currencyCode;
  }
  return { accounts, nameless, mayRepeat: ids.settle() };
}

function identityOf({ number, detail }: FileAccount): string {
  return JSON.stringify([number, detail]);
}

/** An account is called by its number; where two share one, also by what tells them apart. */
function nameAccounts(accounts: ReadonlyMap<string, SurveyedAccount>): ReadonlyMap<string, StatementAccount> {
  const all = [...accounts.values()];
  const isShared = (number: string) => all.filter((other) => other.number === number).length > 1;
  return new Map(
    [...accounts].map(([identity, { number, detail, type, currencyCode, sums }]) => {
      const name = isShared(number) ? `${number} ${detail}`.trim() : number;
      return [identity, { name, type, currencyCode, rowCount: sums.rowCount }];
    }),
  );
}

function chooseAccounts(
  accounts: readonly StatementAccount[],
  { only, path }: { only: readonly string[]; path: string },
): readonly StatementAccount[] {
  if (only.length === 0) return accounts;
  const unknown = only.find((wanted) => !accounts.some(({ name }) => isSameNumber(name, wanted)));
  if (unknown !== undefined) {
    const list = accounts.map(({ name }) => name).join(', ');
    throw new UsageError(
      `${path} has no account "${unknown}" (--statement-account).`,
      list === '' ? 'It names no account.' : `It has: ${list}.`,
    );
  }
  return accounts.filter(({ name }) => only.some((wanted) => isSameNumber(name, wanted)));
}

/** Whether two spellings of an account's number are one: banks group the digits of an IBAN, files do not. */
export function isSameNumber(one: string, other: string): boolean {
  const compact = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return compact(one) === compact(other);
}
