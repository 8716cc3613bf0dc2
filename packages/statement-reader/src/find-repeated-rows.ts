import { compareSequence } from './balance-sequence.js';
import { type CopiedRows, findCopiedRows, markCopiedRows } from './copied-rows.js';
import type { CsvOptions } from './options.js';
import { StatementSpans } from './overlapping-statements.js';
import { findRepeatedStatements, RepeatedFacts, skipRepeatedStatements } from './repeated-statements.js';
import { type AccountRow, type AccountSurvey, identityOf, skipCopies, surveyAccounts } from './survey-accounts.js';

/** The rows of a file in which some rows may occur several times. */
interface RowsReadOnce {
  /** Reads the rows. Rows that certainly occur earlier in the file are skipped. */
  readonly read: () => AsyncIterable<AccountRow>;
  readonly found: Awaited<ReturnType<typeof surveyAccounts>>;
  /** The rows that may occur in an earlier statement; undefined if no statements overlap. */
  readonly copied: CopiedRows | undefined;
}

/**
 * Finds the rows that occur in several statements of the file. Reads the whole file once, and again if statements overlap, if one may
 * repeat another, or if an id occurs twice.
 *
 * @param readAll reads all rows of the file from its beginning at each call
 */
export async function findRepeatedRows(
  readAll: () => AsyncIterable<AccountRow>,
  copiedRows: CsvOptions['copiedRows'],
): Promise<RowsReadOnce> {
  const facts = new RepeatedFacts();
  const spans = new StatementSpans();
  const all = await surveyAccounts(facts.watch(spans.watch(readAll())));
  const repeated = facts.hasRepeated ? await findRepeatedStatements(readAll()) : new Map<number, string>();
  const readWithCopies = () => skipCopies(skipRepeatedStatements(readAll(), repeated), all.mayRepeat);
  const isOverlapping = spans.findOverlapping(repeated);
  const copied = isOverlapping === undefined ? undefined : await findCopiedRows(readWithCopies, isOverlapping);
  const read = () =>
    copied === undefined
      ? readWithCopies()
      : markCopiedRows(readWithCopies(), { positions: copied.positions, leavesOut: copiedRows === 'skip' });
  const isChanged = all.hasRepeatedIds || repeated.size > 0 || (copied !== undefined && copied.positions.length > 0);
  const found = isChanged ? await surveyAccounts(read()) : all;
  const surveys = new Map(found.accounts.map((survey) => [accountOf(survey), survey]));
  for (const { account, finding } of compareSequence(spans.without(repeated), copied?.statements ?? new Set())) {
    surveys.get(account)?.balances.add(finding);
  }
  return { read, found, copied };
}

function accountOf({ account }: AccountSurvey): string {
  return account === null ? '' : identityOf(account);
}
