import { AccountBalances, type BalanceFinding } from './balances.js';
import { RepeatedIds } from './repeated-ids.js';
import type { StatementAccount, StatementRow } from './statement.js';
import { CurrencySums, describeSums } from './totals.js';

/**
 * A row and its account. A file may contain several statements: an item whose `row` is null marks the end of a statement, or the place at
 * which a statement names its account.
 */
export interface AccountRow {
  readonly account: FileAccount | null;
  readonly row: StatementRow | null;
  /** The result of the check of a statement's balances; set only at the end of that statement. */
  readonly balance?: BalanceFinding | undefined;
  /** Facts that identify a statement; set only at its end, and only in formats whose statements contain such facts. */
  readonly facts?: StatementFacts;
  /** A note for the user about the row, for example if its splits do not add up to its total. */
  readonly note?: string | undefined;
}

/** Facts that show, for two statements with the same account and the same rows, whether they are one statement that occurs twice. */
export interface StatementFacts {
  /** The id and the number that the bank gave the statement; null if it has neither. */
  readonly id: string | null;
  /** The opening and the closing balance, with their days; null if a balance or a day is missing. */
  readonly balances: string | null;
  /** Days that the statement covers, for example its first and its last day; absent if it names no day. */
  readonly days?: readonly string[];
  /**
   * The balances to compare with those of the statements before and after this one; undefined if one of them or its day is missing or
   * ambiguous.
   */
  readonly between?: StatementBalances | undefined;
  /** The last statements of the account and currency in earlier files; absent if there are none. */
  readonly earlier?: readonly StatementBalances[] | undefined;
}

/** The balances before the first and after the last row of a statement. */
export interface StatementBalances {
  readonly currencyCode: string;
  readonly opening: DatedBalance;
  readonly closing: DatedBalance;
  /** The name of the earlier file that contains the statement; absent for a statement of the current file. */
  readonly fileName?: string;
}

/** A balance at the beginning or the end of a statement. `amount` may have a minus. */
export interface DatedBalance {
  readonly amount: string;
  readonly day: string;
}

/** An account as a file names it: its number or name, and a detail, such as the currency, to distinguish accounts with the same number. */
export interface FileAccount extends Pick<StatementAccount, 'type' | 'currencyCode'> {
  readonly number: string;
  readonly detail: string;
}

/** Sums, balances and notes of the rows of one account, or of the rows without an account. */
export interface AccountSurvey {
  /** Null for the rows without an account. */
  readonly account: FileAccount | null;
  readonly sums: CurrencySums;
  readonly balances: AccountBalances;
  /** Maps each note to the line numbers of the first ten rows that have this note. */
  readonly notes: Map<string, number[]>;
}

/** Surveys a file: reads it once from beginning to end, without storing its rows. Returns its accounts in the order of the file. */
export async function surveyAccounts(rows: AsyncIterable<AccountRow>): Promise<{
  readonly accounts: readonly AccountSurvey[];
  readonly nameless: AccountSurvey;
  /** Returns whether several rows may have this id. */
  readonly mayRepeat: (statementId: string) => boolean;
  readonly hasRepeatedIds: boolean;
}> {
  const accounts = new Map<string, AccountSurvey>();
  const ids = new RepeatedIds();
  const nameless = newSurvey(null);
  for await (const { account, row, balance, note } of rows) {
    if (row?.outcome === 'transaction' && row.transaction.statementId !== null) ids.add(row.transaction.statementId);
    const survey = account === null ? nameless : surveyOf(account, accounts);
    if (balance !== undefined) survey.balances.add(balance);
    if (row === null) continue;
    survey.sums.add(row);
    if (note !== undefined) survey.notes.set(note, [...(survey.notes.get(note) ?? []), row.line].slice(0, linesMax));
  }
  const mayRepeat = ids.finish();
  return { accounts: [...accounts.values()], nameless, mayRepeat, hasRepeatedIds: ids.hasRepeated };
}

/**
 * Yields the rows. Yields a row as skipped if an earlier statement of the same account has an equal row (the same id, day,
 * amount and texts), because some files contain a statement twice, or statements that overlap. Equal rows within one
 * statement are not skipped: the caller decides whether to record them.
 * @param rows the rows of all statements; at least one item with `row: null` separates two statements
 */
export async function* skipCopies(
  rows: AsyncIterable<AccountRow>,
  mayRepeat: (statementId: string) => boolean,
): AsyncGenerator<AccountRow> {
  const statementOf = new Map<string, number>();
  let statement = 0;
  for await (const found of rows) {
    const { account, row } = found;
    if (row === null) statement += 1;
    if (row?.outcome !== 'transaction' || !mayRepeat(row.transaction.statementId ?? '')) {
      yield found;
      continue;
    }
    const key = JSON.stringify([account === null ? null : identityOf(account), row.transaction]);
    const first = statementOf.get(key) ?? statement;
    if (statementOf.size < copiesMax) statementOf.set(key, first);
    yield first === statement
      ? found
      : { account, row: { line: row.line, outcome: 'skipped', reason: copyReason }, note: copyReason };
  }
}

/** The reason and the note of a row that `skipCopies` skips. */
export const copyReason = 'it is also in an earlier statement of the file';

/** The maximum number of listed line numbers for a note. */
const linesMax = 10;

/** The maximum number of stored rows, to limit the memory for a file in which many ids occur more than once. */
const copiesMax = 100_000;

function newSurvey(account: FileAccount | null): AccountSurvey {
  return { account, sums: new CurrencySums(), balances: new AccountBalances(), notes: new Map() };
}

/** Returns the survey of an account. If an earlier statement leaves out the type or currency, a later statement can add it. */
function surveyOf(account: FileAccount, accounts: Map<string, AccountSurvey>): AccountSurvey {
  const identity = identityOf(account);
  const known = accounts.get(identity) ?? newSurvey(account);
  const type = known.account?.type ?? account.type;
  const currencyCode = known.account?.currencyCode ?? account.currencyCode;
  const isNew = known.account?.type !== type || known.account.currencyCode !== currencyCode;
  const survey = isNew ? { ...known, account: { ...account, type, currencyCode } } : known;
  if (accounts.get(identity) !== survey) accounts.set(identity, survey);
  return survey;
}

/** Returns a text that identifies an account within a file. It is the same for an IBAN with and without spaces. */
export function identityOf({ number, detail }: FileAccount): string {
  const compact = number.replace(/\s/g, '');
  return JSON.stringify([/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/i.test(compact) ? compact : number, detail]);
}

/**
 * Returns one line for each account and currency, with the number of rows and the sums, so that the user can recognize the account. If
 * there are several of these lines, the totals of each currency over all accounts follow. The balances and the notes come last.
 */
export function describeSurveys(
  surveys: readonly (AccountSurvey & { readonly name: string })[],
): readonly (readonly [label: string, value: string])[] {
  const withRows = surveys.filter(({ sums }) => sums.rowCount > 0);
  const byAccount = withRows.flatMap(({ name, account, sums }) =>
    sums
      .in(account?.currencyCode ?? null)
      .map(([code, found]) => ['account', `${name}, ${describeSums(found, code)}`] as const),
  );
  const totals = new CurrencySums();
  for (const { account, sums } of withRows) totals.addAll(sums.in(account?.currencyCode ?? null));
  const prefix = (name: string) => (surveys.length > 1 ? `${name}: ` : '');
  return [
    ...byAccount,
    ...(byAccount.length > 1 ? totals.in(null) : []).map(
      ([code, found]) => ['totals', describeSums(found, code)] as const,
    ),
    ...surveys.flatMap(({ name, balances }) => balances.lines.map((line) => ['balance', prefix(name) + line] as const)),
    ...surveys.flatMap(({ notes }) =>
      [...notes].map(
        ([note, lines]) => ['note', `${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}: ${note}`] as const,
      ),
    ),
  ];
}
