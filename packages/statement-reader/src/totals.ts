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
 * Formats an amount for the user, with at least as many decimal places as its currency has: `45.3` in EUR becomes `45.30 EUR`. Adds no
 * zeros if the API does not support the currency. If `currencyCode` is null, adds a zero only to an amount with one decimal place: `284.7`
 * becomes `284.70`.
 */
export function describeAmount(amountDecimal: string, currencyCode: string | null): string {
  if (currencyCode === null) return amountDecimal.replace(/(?<=\.\d)$/, '0');
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

/** Adds a row to the count, and its amount to the sums if it is a transaction. */
export function addRow(sums: RowSums, row: StatementRow): void {
  sums.rowCount += 1;
  if (row.outcome !== 'transaction') return;
  const { occurredOn, direction, amountDecimal } = row.transaction;
  if (sums.firstDay === undefined || occurredOn < sums.firstDay) sums.firstDay = occurredOn;
  if (sums.lastDay === undefined || occurredOn > sums.lastDay) sums.lastDay = occurredOn;
  sums[direction] = addDecimals([sums[direction], amountDecimal]);
}

/**
 * Returns a text such as `2 rows, 2026-07-02 to 2026-07-03, expenses 12.50 EUR, incomes 20.00 EUR`. The text has no dates if no row is a
 * transaction.
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

/** The sums of rows in each currency. Rows that name no currency are counted separately. */
export class CurrencySums {
  readonly #sums = new Map<string | null, RowSums>();

  get rowCount(): number {
    return [...this.#sums.values()].reduce((count, sums) => count + sums.rowCount, 0);
  }

  add(row: StatementRow): void {
    addRow(this.#of(row.outcome === 'transaction' ? row.transaction.currencyCode : null), row);
  }

  addAll(all: readonly (readonly [currencyCode: string | null, sums: RowSums])[]): void {
    for (const [currencyCode, sums] of all) this.#sums.set(currencyCode, joinSums(this.#of(currencyCode), sums));
  }

  /** Returns the sums in each currency. @param currencyCode the currency of the rows that name none; null if it is unknown */
  in(currencyCode: string | null): readonly (readonly [currencyCode: string | null, sums: RowSums])[] {
    const joined = new CurrencySums();
    joined.addAll([...this.#sums].map(([code, sums]) => [code ?? currencyCode, sums]));
    return [...joined.#sums];
  }

  #of(currencyCode: string | null): RowSums {
    const known = this.#sums.get(currencyCode) ?? noSums();
    this.#sums.set(currencyCode, known);
    return known;
  }
}

function joinSums(one: RowSums, other: RowSums): RowSums {
  const days = [one.firstDay, one.lastDay, other.firstDay, other.lastDay].filter((day) => day !== undefined).sort();
  return {
    rowCount: one.rowCount + other.rowCount,
    firstDay: days[0],
    lastDay: days.at(-1),
    expense: addDecimals([one.expense, other.expense]),
    income: addDecimals([one.income, other.income]),
  };
}
