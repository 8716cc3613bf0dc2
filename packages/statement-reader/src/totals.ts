import { currencyCodes, currencyExponent } from '@centavo/contracts/calls';
import type { StatementRow } from './statement.js';

/** Adds signed decimals exactly, without floating-point numbers: `["-1.25", "10"]` → `"8.75"`. Ignores currencies. */
export function addDecimals(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => (amount.split('.')[1] ?? '').length));
  const sum = amounts.reduce((total, amount) => total + toScaled(amount, scale), 0n);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${sum < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function toScaled(amount: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}

/**
 * Formats an amount for the user with the decimals of its currency: `45.30 EUR`. Further decimals stay, and so does an
 * amount in an unknown currency.
 */
export function describeAmount(amountDecimal: string, currencyCode: string | null): string {
  if (currencyCode === null) return amountDecimal;
  if (!currencyCodes.has(currencyCode)) return `${amountDecimal} ${currencyCode}`;
  const [whole = '0', fraction = ''] = amountDecimal.split('.');
  const decimals = fraction.padEnd(currencyExponent(currencyCode), '0');
  return `${whole}${decimals === '' ? '' : `.${decimals}`} ${currencyCode}`;
}

/** The sums of the rows of one account or currency. */
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

/** Counts a row. If it is a transaction, adds its amount. */
export function addRow(sums: RowSums, row: StatementRow): void {
  sums.rowCount += 1;
  if (row.outcome !== 'transaction') return;
  const { occurredOn, direction, amountDecimal } = row.transaction;
  if (sums.firstDay === undefined || occurredOn < sums.firstDay) sums.firstDay = occurredOn;
  if (sums.lastDay === undefined || occurredOn > sums.lastDay) sums.lastDay = occurredOn;
  sums[direction] = addDecimals([sums[direction], amountDecimal]);
}

/**
 * Returns `2 rows, 2026-07-02 to 2026-07-03, expenses 12.50 EUR, incomes 20.00 EUR`, without days if no row has one.
 */
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
