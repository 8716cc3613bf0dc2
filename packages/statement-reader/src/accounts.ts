import { RepeatedIds } from './repeated-ids.js';
import type { StatementSource } from './source.js';
import type { OpenedStatement, StatementAccount, StatementRow } from './statement.js';
import { StatementError } from './statement-error.js';
import { addRow, describeSums, noSums, type RowSums } from './totals.js';

/** A row and its account; `row` is null for an account that is named and may have no rows. */
export interface AccountRow {
  readonly account: FileAccount | null;
  readonly row: StatementRow | null;
}

/** An account as a file names it: its number or name, and a detail that differs between accounts of the same number. */
export interface FileAccount extends Pick<StatementAccount, 'type' | 'currencyCode'> {
  readonly number: string;
  readonly detail: string;
}

/**
 * Opens a statement that names its accounts itself. It reads the whole file once first, so that a file that breaks off,
 * or is of another format, is refused before a row is recorded.
 *
 * @param file.read reads the file from its beginning at each call, in constant memory
 * @param file.only the requested accounts, by number or name; empty: all
 * @throws StatementError as `read` does, and for a requested account that the file does not have
 */
export async function openWithAccounts(file: {
  readonly source: StatementSource;
  readonly format: string;
  readonly read: () => AsyncIterable<AccountRow>;
  readonly only: readonly string[] | undefined;
  readonly reading: Partial<NonNullable<OpenedStatement['reading']>> | null;
}): Promise<OpenedStatement> {
  const only = file.only ?? [];
  const found = await surveyAccounts(file.read());
  const named = nameAccounts(found.accounts);
  const chosen = chooseAccounts([...named.values()], { only, source: file.source });
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
        throw new StatementError(
          '--save-mapping is for CSV: other files have no headers to be known by.',
          'Leave it out.',
        );
      },
      ...file.reading,
      lines: [
        ...(file.reading?.lines ?? []),
        ...describeAccounts({ found, names: only.length > 0 ? names : undefined, nameOf }),
      ],
    },
  };
}

/** Returns one line for each account: its rows and sums, so that the user sees that it is the right one. */
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

/** Names an account by its number. If two accounts share one, the name also has the detail. */
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
  { only, source }: { only: readonly string[]; source: StatementSource },
): readonly StatementAccount[] {
  if (only.length === 0) return accounts;
  const unknown = only.find((requested) => !accounts.some(({ name }) => isSameNumber(name, requested)));
  if (unknown !== undefined) {
    const list = accounts.map(({ name }) => name).join(', ');
    throw new StatementError(
      `${source.name} has no account "${unknown}" (--statement-account).`,
      list === '' ? 'It names no account.' : `It has: ${list}.`,
    );
  }
  return accounts.filter(({ name }) => only.some((requested) => isSameNumber(name, requested)));
}

/** Returns whether two spellings mean one account number: banks group the digits of an IBAN, files do not. */
export function isSameNumber(one: string, other: string): boolean {
  const compact = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return compact(one) === compact(other);
}
