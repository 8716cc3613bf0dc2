import { dateCandidates, withoutTime } from '../../values/dates.js';
import { isAmountCell, isDateCell } from '../table/cells.js';
import { explainsBalance, readValue } from './find-amount-columns.js';

/**
 * Returns whether the first row of a file without headers is a summary of the statement and not a transaction. There must be at least three
 * other rows, which have dates in one column or several, and amounts in others. One of these must be true:
 *
 * - The first row has neither a date nor an amount in these columns, as in the export of BNP Paribas, whose first row has the name, the
 *   number and the balance of the account. Its date and its amount also are not as many columns apart as those of the other rows: an
 *   unquoted delimiter may have shifted the cells of a transaction.
 * - In the other rows, the balance changes by exactly the amount of each row. The first row has the balance of the second row, although it
 *   has an amount, and its dates include the dates of all other rows. In the export of the Polish Santander, the first row has the first
 *   and the last day of the statement, the opening and the closing balance.
 */
export function beginsWithSummary([first, ...others]: Rows): boolean {
  if (first === undefined || others.length < othersMin) return false;
  const dates = findFull(others, isDateCell);
  const amounts = findFull(others, isOnlyAmount);
  const ownDates = findFull([first], isDateCell);
  const ownAmounts = findFull([first], isOnlyAmount);
  const distances = new Set(findDistances(dates, amounts));
  const isShifted = findDistances(ownDates, ownAmounts).some((distance) => distances.has(distance));
  const isElsewhere = !dates.some((one) => ownDates.includes(one)) && !amounts.some((one) => ownAmounts.includes(one));
  if (dates.length > 0 && amounts.length > 0 && isElsewhere && !isShifted) return true;
  return includesDays(first, others, dates) && repeatsBalance(first, others, amounts);
}

type Rows = readonly (readonly string[])[];

/** Returns the positions at which all rows have such a cell. */
function findFull(rows: Rows, is: (cell: string) => boolean): readonly number[] {
  return (rows[0] ?? []).flatMap((_, position) => (rows.every((cells) => is(cells[position] ?? '')) ? [position] : []));
}

/** Returns, for each pair of a date and an amount, how many columns the amount is to the right of the date. */
function findDistances(dates: readonly number[], amounts: readonly number[]): readonly number[] {
  return dates.flatMap((date) => amounts.map((amount) => amount - date));
}

/** Returns whether the first row has a date before and a date after all other rows, or on their first and last day. */
function includesDays(first: readonly string[], others: Rows, positions: readonly number[]): boolean {
  const cells = [first, ...others].flatMap((row) => positions.map((position) => row[position] ?? ''));
  const format = dateCandidates.find(({ read }) => cells.every((cell) => read(withoutTime(cell)) !== undefined));
  const days = cells.map((cell) => format?.read(withoutTime(cell)) ?? '');
  const [own, rest] = [days.slice(0, positions.length).toSorted(), days.slice(positions.length).toSorted()];
  const [start = '', end = ''] = [own[0], own.at(-1)];
  return start !== end && start <= (rest[0] ?? '') && end >= (rest.at(-1) ?? '');
}

/** Returns whether the first row has an amount other than zero, but the balance of the second row. */
function repeatsBalance(first: readonly string[], others: Rows, positions: readonly number[]): boolean {
  const valuesAt = (position: number) => others.map((cells) => readValue(cells[position] ?? ''));
  return positions.some((amount) =>
    positions.some((balance) => {
      const values = valuesAt(balance);
      const isBalance = amount !== balance && explainsBalance(valuesAt(amount), [{ values }]);
      const moves = readValue(first[amount] ?? '') ?? 0n;
      return isBalance && moves !== 0n && readValue(first[balance] ?? '') === values[0];
    }),
  );
}

function isOnlyAmount(cell: string): boolean {
  return isAmountCell(cell) && !isDateCell(cell);
}

const othersMin = 3;
