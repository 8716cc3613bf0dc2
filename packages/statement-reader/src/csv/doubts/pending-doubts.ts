import type { Doubt } from '../../statement.js';
import { headerWords } from '../columns/header-names.js';
import type { CsvPlan } from '../plan.js';
import type { PendingMarks } from '../rows/pending-marks.js';
import { unknownStatusesMax } from '../rows/status-tally.js';
import type { PlanOrigin } from './plan-origin.js';

/**
 * Returns a doubt about unknown statuses. To resolve the doubt, the user must set an option: `--yes` is not enough, because a user may
 * overlook the list of these statuses. If the status column was guessed and has no known status, there is a doubt only if the column seems
 * to contain statuses: it has several different texts, but not as many as a column of free text, and its header is not "Info".
 */
export function findStatusDoubt(
  { columns: { roles }, findings: { unknownStatuses, hasKnownStatuses } }: CsvPlan,
  { guessed }: PlanOrigin,
): Doubt | undefined {
  if (unknownStatuses.length === 0) return undefined;
  const isUnproven = guessed.has('status') && !hasKnownStatuses;
  const seemsToBeStatus = unknownStatuses.length > 1 && unknownStatuses.length < unknownStatusesMax;
  if (isUnproven && (!seemsToBeStatus || headerWords(roles.status ?? '') === 'info')) return undefined;
  const words = unknownStatuses.map((status) => `"${status}"`);
  const [first] = words;
  const what =
    words.length === 1
      ? `Use --final-status ${first} if it is final, or --skip-status ${first} to leave out its rows.`
      : 'Use --final-status WORD for each of these words that is final, and --skip-status WORD for each other word, to leave out its rows.';
  return {
    message: `The meaning of ${words.join(', ')} in the column "${roles.status ?? ''}" is unknown: rows with ${words.length === 1 ? 'this word' : 'these words'} may be pending, or may not have happened.`,
    remedy: isUnproven ? `${what} If the column has no statuses, use --status-column "".` : what,
    requiresOption: true,
  };
}

/**
 * Returns a doubt about rows whose status says that they were reversed, if no other row of the file is their refund. Some services record
 * the refund as another row, which may be in an earlier or later file. Other services record no refund, and only change the status. If the
 * balance column agrees with the amounts, the balances prove which rows moved money, and there is no doubt.
 */
export function findReversedDoubt({ pending: { unreversed } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (unreversed === undefined || balance?.kind === 'agrees') return undefined;
  const { line, rowCount, statuses } = unreversed;
  const rows = rowCount === 1 ? `A row has` : `${rowCount} rows have`;
  const words = statuses.map((status) => `"${status}"`);
  const flags = (name: string) => words.map((word) => `${name} ${word}`).join(' ');
  return {
    message: `${rows} the status ${words.join(' or ')}, and no row of the file reverses ${rowCount === 1 ? 'it' : 'them'}: line ${line}.`,
    remedy: `If the refund is a row of another file, use ${flags('--final-status')}. If no other row shows it, use ${flags('--skip-status')}.`,
    requiresOption: true,
  };
}

/**
 * Returns a doubt about rows that are marked as pending by a text, or by a column other than the status column. Some banks have no status
 * column and mark pending rows in this way. If the balance column agrees with the amounts, the balances include these rows, so the rows are
 * final, unless the first of these rows has no balance and no balance includes its amount.
 */
export function findPendingDoubt(
  { findings: { pendingTexts, pendingMarks } }: CsvPlan,
  { balance, newestWithoutBalance }: PlanOrigin,
): Doubt | undefined {
  const first = (pendingTexts ?? pendingMarks)?.line ?? 0;
  const isUnbooked = newestWithoutBalance.includes(first) || balance?.unbookedLines.includes(first) === true;
  if (balance?.kind === 'agrees' && !isUnbooked) return undefined;
  if (pendingTexts === undefined) return pendingMarks === undefined ? undefined : describeMarks(pendingMarks);
  const { rowCount, line, text, isTitle, word } = pendingTexts;
  const what = rowCount === 1 ? 'The text of a row says that it is' : `The texts of ${rowCount} rows say that they are`;
  const titled = `A title says that ${rowCount === 1 ? 'a row is' : `${rowCount} rows are`}`;
  return {
    message: `${isTitle ? titled : what} pending: line ${line}, ${isTitle ? 'below ' : ''}"${text}". The bank may still change or drop such rows.`,
    remedy: `Take them out of the file. If they are final, use --final-status "${word}".`,
    requiresOption: true,
  };
}

function describeMarks({ line, text, header, word, rowCount, isExcluded }: PendingMarks): Doubt {
  const rows = rowCount === 1 ? 'A row' : `${rowCount} rows`;
  const cell = text === '' ? 'an empty cell' : `"${text}"`;
  const origin = word === headerWords(header) ? ', which is the name of the column' : '';
  return {
    message: `${rows} may ${isExcluded ? 'have been excluded by the user of an app' : 'be pending, or may not have happened'}: line ${line} has ${cell} in the column "${header}".`,
    remedy: `Take such rows out of the file. If they are ${isExcluded ? 'transactions of the account' : 'final'}, use --final-status "${word}"${origin}.`,
    requiresOption: true,
  };
}

/**
 * Returns a doubt about rows that an asterisk may mark as pending. If the balance column agrees with the amounts, the balances include
 * these rows, so the rows are final.
 */
export function findAsteriskDoubt({ findings: { asterisks } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (asterisks === undefined || balance?.kind === 'agrees') return undefined;
  const { line, text, note, rowCount } = asterisks;
  const rows = rowCount === 1 ? 'A row has' : `${rowCount} rows have`;
  const why = note === undefined ? 'which may mean that it is pending' : `and the file says "${note}"`;
  return {
    message: `${rows} an asterisk at the beginning or end, ${why}: line ${line}, "${text}". The bank may still change or drop pending rows.`,
    remedy: 'Take such rows out of the file. If they are final, use --final-status "*".',
    requiresOption: true,
  };
}

/**
 * Returns a doubt about rows without a balance if the balance column agrees with all other rows. Some banks leave the balance of pending
 * rows empty. The doubt is about the newest rows if only these have no balance, and otherwise about rows whose amounts are not included in
 * any balance. There is no doubt if the status column has known statuses.
 */
export function findUnbookedDoubt(
  { columns: { roles }, findings: { hasKnownStatuses } }: CsvPlan,
  { balance, newestWithoutBalance: newest, options }: PlanOrigin,
): Doubt | undefined {
  if (balance?.kind !== 'agrees' || options.ignoresBalance === true) return undefined;
  const lines = newest.length > 0 ? newest : balance.unbookedLines;
  if (lines.length === 0 || (roles.status !== undefined && hasKnownStatuses)) return undefined;
  const isOne = lines.length === 1;
  const rows = isOne ? `The newest row, line ${lines[0]}, has` : `The newest rows, lines ${lines.join(', ')}, have`;
  const excluded = isOne
    ? `Line ${lines[0]} has no balance, and no balance includes its amount. The row`
    : `Lines ${lines.join(', ')} have no balance, and no balance includes their amounts. The rows`;
  return {
    message: newest.length > 0 ? `${rows} no balance, and may be pending.` : `${excluded} may be pending.`,
    remedy: unbookedRemedy,
    requiresOption: true,
  };
}

const unbookedRemedy = 'Take such rows out of the file. If they are final, use --ignore-balance.';

/**
 * Returns a doubt about the newest rows if they do not change the balance, although all older rows do. There is no doubt if the status
 * column has known statuses.
 */
export function findUnchangedDoubt(
  { columns: { roles }, findings: { hasKnownStatuses } }: CsvPlan,
  { newestUnchanged: lines, options }: PlanOrigin,
): Doubt | undefined {
  if (lines.length === 0 || options.ignoresBalance === true) return undefined;
  if (roles.status !== undefined && hasKnownStatuses) return undefined;
  const rows =
    lines.length === 1 ? `The newest row, line ${lines[0]}, does` : `The newest rows, lines ${lines.join(', ')}, do`;
  return {
    message: `${rows} not change the balance, and may be pending.`,
    remedy: unbookedRemedy,
    requiresOption: true,
  };
}

/**
 * Returns a doubt about titles between the rows. The rows below such a title may be pending, or belong to another account. If the balance
 * column agrees with the amounts, there is no doubt: the balances prove that all rows are booked and belong to one account.
 */
export function findSectionDoubt({ findings: { sectionTitles } }: CsvPlan, { balance }: PlanOrigin): Doubt | undefined {
  if (sectionTitles.length === 0 || balance?.kind === 'agrees') return undefined;
  const titles = sectionTitles.map(({ line, text }) => `line ${line}, "${text}"`).join('; ');
  const flags = sectionTitles.map(({ text }) => `--final-status "${text}"`).join(' ');
  return {
    message: `A title may divide the rows: ${titles}. The rows below it may be pending, or of another account.`,
    remedy: `Take such rows out of the file. If all rows are booked and of one account, use ${flags}.`,
    requiresOption: true,
  };
}
