import { balanceQuestion } from './balances.js';
import { copiesQuestion } from './copied-rows.js';
import { findRepeatedRows } from './find-repeated-rows.js';
import type { OpenStatementRequest } from './options.js';
import type { StatementSource } from './source.js';
import type { OpenedStatement, StatementAccount, StatementRow } from './statement.js';
import { StatementError } from './statement-error.js';
import {
  type AccountRow,
  type AccountSurvey,
  describeSurveys,
  type FileAccount,
  identityOf,
} from './survey-accounts.js';

/**
 * Opens a statement of a format that can name accounts. Reads the whole file first, so that an incomplete file or a file of another
 * format fails before the caller records a row.
 *
 * @param file.read reads the file from its beginning at each call, in constant memory
 * @param file.request.csv the options of the user; if `columns.id` is `''`, the rows are returned without a `statementId`
 * @param file.request.onlyAccounts the numbers or names of the requested accounts; an empty list requests all accounts
 * @param file.interpretation the parts of the result's `interpretation` that only the format knows; its lines come before those of the
 *   accounts
 * @throws StatementError if `read` throws one, if a requested account is not in the file, or if `minusMeans` is `income` for both a card or
 *   loan and an account of another type (see `requireOnlyDebts`)
 */
export async function openWithAccounts(file: {
  readonly source: StatementSource;
  readonly format: string;
  readonly read: () => AsyncIterable<AccountRow>;
  readonly request: Pick<OpenStatementRequest, 'onlyAccounts' | 'csv'>;
  readonly interpretation: Partial<NonNullable<OpenedStatement['interpretation']>> | null;
}): Promise<OpenedStatement> {
  const only = file.request.onlyAccounts ?? [];
  const { read, found, copied } = await findRepeatedRows(file.read, file.request.csv.copiedRows);
  const named = nameAccounts(found.accounts);
  const nameOf = (account: FileAccount) => named.get(identityOf(account)) ?? '';
  const chosen = chooseAccounts(
    found.accounts.map((survey) => ({ ...survey, name: survey.account === null ? '' : nameOf(survey.account) })),
    { only, source: file.source },
  );
  if (file.request.csv.minusMeans === 'income') requireOnlyDebts(chosen);
  const names = new Set(chosen.map(({ name }) => name));
  // The `statementId` is removed only here, from the yielded row, because `skipCopies` needs it to find copies of rows.
  const ignoresIds = file.request.csv.columns.id === '';
  async function* rows(): AsyncGenerator<StatementRow> {
    for await (const { account, row } of read()) {
      if (row === null) continue;
      const accountName = account === null ? null : nameOf(account);
      if (only.length > 0 && (accountName === null || !names.has(accountName))) continue;
      if (row.outcome !== 'transaction') yield row;
      else {
        const { statementId } = row.transaction;
        yield {
          ...row,
          transaction: { ...row.transaction, accountName, statementId: ignoresIds ? null : statementId },
        };
      }
    }
  }
  const { nameless } = found;
  const isNamelessUsed = only.length === 0 && (nameless.sums.rowCount > 0 || nameless.balances.lines.length > 0);
  const surveys = isNamelessUsed ? [...chosen, { ...nameless, name: 'no account named' }] : chosen;
  const rowCount = surveys.reduce((sum, { sums }) => sum + sums.rowCount, 0);
  const [question = null, ...furtherQuestions] = [
    file.request.csv.ignoresBalance === true || rowCount === 0 ? null : balanceQuestion(surveys),
    file.request.csv.copiedRows === undefined && copied !== undefined ? copiesQuestion(copied, surveys) : null,
  ].filter((one) => one !== null);
  return {
    format: file.format,
    rowCount,
    namesAccounts: chosen.length > 0 && (only.length > 0 || nameless.sums.rowCount === 0),
    accounts: chosen.filter(({ sums }) => sums.rowCount > 0).map(toStatementAccount),
    mayRepeat: found.mayRepeat,
    rows,
    interpretation: {
      question,
      furtherQuestions,
      advice: rowCount === 0 ? 'The statement has no transactions. Nothing is recorded.' : null,
      ...file.interpretation,
      lines: [...(file.interpretation?.lines ?? []), ...describeSurveys(surveys)],
    },
  };
}

/**
 * Refuses `--minus income` if the rows of a card or loan are imported together with those of an account of another type. The option would
 * also reverse the signs in the other account.
 */
function requireOnlyDebts(accounts: readonly (AccountSurvey & { readonly name: string })[]): void {
  const withRows = accounts.filter(({ sums }) => sums.rowCount > 0);
  const isDebt = ({ account }: AccountSurvey) => account?.type === 'credit_card' || account?.type === 'loan';
  const debt = withRows.find(isDebt);
  const other = withRows.find((survey) => !isDebt(survey));
  if (debt === undefined || other === undefined) return;
  throw new StatementError(
    `A minus would mean income in the rows of "${debt.name}" and also in the rows of "${other.name}".`,
    'Import each account by itself with --statement-account, and use --minus income only for accounts in which a minus is money in.',
  );
}

/**
 * Maps the identity of each account (see `identityOf`) to the name of the account. The name is the account number. If several accounts
 * share the number, the `detail` of the account follows, for example its currency.
 */
function nameAccounts(surveys: readonly AccountSurvey[]): ReadonlyMap<string, string> {
  const accounts = surveys.flatMap(({ account }) => (account === null ? [] : [account]));
  const counts = new Map<string, number>();
  for (const { number } of accounts) counts.set(number, (counts.get(number) ?? 0) + 1);
  return new Map(
    accounts.map((account) => {
      const { number, detail } = account;
      return [identityOf(account), (counts.get(number) ?? 0) > 1 ? `${number} ${detail}`.trim() : number];
    }),
  );
}

function toStatementAccount({ name, account, sums }: AccountSurvey & { readonly name: string }): StatementAccount {
  const { type = null, currencyCode = null } = account ?? {};
  return { name, type, currencyCode, rowCount: sums.rowCount };
}

function chooseAccounts<Account extends { readonly name: string }>(
  accounts: readonly Account[],
  { only, source }: { only: readonly string[]; source: StatementSource },
): readonly Account[] {
  if (only.length === 0) return accounts;
  const unknown = only.find((requested) => !accounts.some(({ name }) => isSameNumber(name, requested)));
  if (unknown !== undefined) {
    const list = accounts.map(({ name }) => name).join(', ');
    throw new StatementError(
      `${source.name} has no account "${unknown}" (--statement-account).`,
      list === '' ? 'The file names no account. Leave out --statement-account.' : `It has: ${list}.`,
    );
  }
  return accounts.filter(({ name }) => only.some((requested) => isSameNumber(name, requested)));
}

/**
 * Returns whether two account numbers are equal, ignoring spaces and case: users may copy an IBAN with spaces, but
 * files contain it without spaces.
 */
export function isSameNumber(one: string, other: string): boolean {
  const compact = (text: string) => text.replace(/\s/g, '').toLowerCase();
  return compact(one) === compact(other);
}
