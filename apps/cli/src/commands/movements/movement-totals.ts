import { type DecimalString, fromMinorUnits, type Movement, toMinorUnits } from '@centavo/sdk';
import { foldCase } from '../shared/choose-by-name.js';

export const groupings = ['category', 'month', 'merchant'] as const;
export type Grouping = (typeof groupings)[number];

/** Expenses and incomes of one group and currency, in minor units. */
export interface GroupTotal {
  /** The category's id, the month `YYYY-MM`, or the merchant's name; null for movements without merchant. */
  readonly key: string | null;
  expense: bigint;
  income: bigint;
  movementCount: number;
}

/** The groups of one currency, and its sums by day for the sparkline. */
export interface CurrencyTotals {
  readonly currencyCode: string;
  readonly groups: readonly GroupTotal[];
  readonly days: ReadonlyMap<string, Readonly<Record<Movement['type'], bigint>>>;
}

/** A group as a record for scripts. */
export interface SummaryRow {
  readonly by: Grouping;
  readonly key: string | null;
  readonly name: string | null;
  readonly currencyCode: string;
  readonly expenseDecimal: DecimalString;
  readonly incomeDecimal: DecimalString;
  readonly netDecimal: DecimalString;
  readonly movementCount: number;
}

/**
 * Sums movements exactly, in minor units and separately for each currency; only the sums are kept in memory. Months are in
 * chronological order, other groups in descending order of their amounts.
 */
export async function totalMovements(movements: AsyncIterable<Movement>, by: Grouping): Promise<CurrencyTotals[]> {
  const currencies = new Map<string, CurrencySums>();
  for await (const movement of movements) {
    const { currencyCode } = movement;
    const sums = currencies.get(currencyCode) ?? { groups: new Map(), days: new Map() };
    currencies.set(currencyCode, sums);
    addToSums(sums, movement, keyOf(movement, by));
  }
  const order = by === 'month' ? byKey : byAmount;
  return [...currencies]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([currencyCode, { groups, days }]) => ({ currencyCode, groups: [...groups.values()].sort(order), days }));
}

/** Returns the groups as records, with their names. */
export function toSummaryRows(
  totals: readonly CurrencyTotals[],
  { by, nameOf }: { by: Grouping; nameOf: (key: string | null) => string | null },
): readonly SummaryRow[] {
  return totals.flatMap(({ currencyCode, groups }) =>
    groups.map(({ key, expense, income, movementCount }) => ({
      by,
      key,
      name: nameOf(key),
      currencyCode,
      expenseDecimal: fromMinorUnits(expense, currencyCode),
      incomeDecimal: fromMinorUnits(income, currencyCode),
      netDecimal: fromMinorUnits(income - expense, currencyCode),
      movementCount,
    })),
  );
}

interface CurrencySums {
  /** By the folded key: the case of merchant names differs between banks. */
  readonly groups: Map<string, GroupTotal>;
  readonly days: Map<string, Record<Movement['type'], bigint>>;
}

function addToSums({ groups, days }: CurrencySums, movement: Movement, key: string | null): void {
  const amount = toMinorUnits(movement.amountDecimal, movement.currencyCode);
  const spelling = key === null ? '' : foldCase(key);
  const group = groups.get(spelling) ?? { key, expense: 0n, income: 0n, movementCount: 0 };
  group[movement.type] += amount;
  group.movementCount += 1;
  groups.set(spelling, group);
  const day = days.get(movement.occurredOn) ?? { expense: 0n, income: 0n };
  day[movement.type] += amount;
  days.set(movement.occurredOn, day);
}

function keyOf(movement: Movement, by: Grouping): string | null {
  if (by === 'category') return movement.categoryId;
  return by === 'month' ? movement.occurredOn.slice(0, 7) : movement.merchantName;
}

function byKey(one: GroupTotal, other: GroupTotal): number {
  return (one.key ?? '') < (other.key ?? '') ? -1 : 1;
}

function byAmount(one: GroupTotal, other: GroupTotal): number {
  const [left, right] = [one.expense + one.income, other.expense + other.income];
  return left === right ? byKey(one, other) : left > right ? -1 : 1;
}
