import { addDecimals } from './add-decimals.js';
import { describeAmount } from './describe-amount.js';
import type { StatementRow } from './statement-row.js';

/** What the rows of one account or currency come to, whatever becomes of each. */
export interface RowSums {
  rowCount: number;
  firstDay: string | undefined;
  lastDay: string | undefined;
  expense: string;
  income: string;
}

export function noSums(): RowSums {
  return { rowCount: 0, firstDay: undefined, lastDay: undefined, expense: '0', income: '0' };
}

/** Counts a row, and adds what it moves where it is a transaction. */
export function addRow(sums: RowSums, row: StatementRow): void {
  sums.rowCount += 1;
  if (row.outcome !== 'transaction') return;
  const { occurredOn, direction, amountDecimal } = row.transaction;
  if (sums.firstDay === undefined || occurredOn < sums.firstDay) sums.firstDay = occurredOn;
  if (sums.lastDay === undefined || occurredOn > sums.lastDay) sums.lastDay = occurredOn;
  sums[direction] = addDecimals([sums[direction], amountDecimal]);
}

/** `2 rows, 2026-07-02 to 2026-07-03, expenses 12.50 EUR, incomes 20.00 EUR`; without days where no row has one. */
export function describeSums(sums: RowSums, currencyCode: string | null): string {
  const { rowCount, firstDay, lastDay, expense, income } = sums;
  const rows = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`;
  const days = firstDay === undefined || lastDay === undefined ? [] : [`${firstDay} to ${lastDay}`];
  const totals = [
    `expenses ${describeAmount(expense, currencyCode)}`,
    `incomes ${describeAmount(income, currencyCode)}`,
  ];
  return [rows, ...days, ...totals].join(', ');
}
