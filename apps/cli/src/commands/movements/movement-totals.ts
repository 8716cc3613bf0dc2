import { type DecimalString, fromMinorUnits, type Movement, type MovementSummary, toMinorUnits } from '@centavo/sdk';
import { normalizeName } from '../shared/choose-by-name.js';

export const groupings = ['category', 'month', 'merchant', 'account'] as const;
export type Grouping = (typeof groupings)[number];

/** Expenses and incomes of one group and currency, in minor units. */
export interface GroupTotal {
  /** The id of the category or account, the month `YYYY-MM`, or the merchant's name; null for movements without a merchant. */
  readonly key: string | null;
  expense: bigint;
  income: bigint;
  movementCount: number;
}

/** The groups of one currency, and the sums of its days or months for the sparkline. */
export interface CurrencyTotals {
  readonly currencyCode: string;
  readonly groups: readonly GroupTotal[];
  /** Sums by day (`YYYY-MM-DD`), or by month (`YYYY-MM`) if the server computed them. */
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
 * Sums movements exactly, in minor units and separately for each currency. Only the sums are in memory. Months are in
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
  return inOrder(currencies, by);
}

/**
 * Adds up the rows of GET /movements/summary, as {@link totalMovements} does with movements. Merchant names that differ only in
 * case or spaces become one group.
 * @param summary.months the rows by month, for the sparkline
 */
export function totalSummaries(
  summary: { readonly rows: readonly MovementSummary[]; readonly months: readonly MovementSummary[] },
  by: Grouping,
): CurrencyTotals[] {
  const currencies = new Map<string, CurrencySums>();
  for (const { key, ...row } of summary.rows) {
    const sums = currencies.get(row.currencyCode) ?? { groups: new Map(), days: new Map() };
    currencies.set(row.currencyCode, sums);
    addToGroup(sums.groups, key, amountsOf(row));
  }
  for (const { key, ...row } of summary.months) currencies.get(row.currencyCode)?.days.set(key ?? '', amountsOf(row));
  return inOrder(currencies, by);
}

function amountsOf(row: Omit<MovementSummary, 'key'>): Omit<GroupTotal, 'key'> {
  const { currencyCode, expenseDecimal, incomeDecimal, movementCount } = row;
  return {
    expense: toMinorUnits(expenseDecimal, currencyCode),
    income: toMinorUnits(incomeDecimal, currencyCode),
    movementCount,
  };
}

function inOrder(currencies: ReadonlyMap<string, CurrencySums>, by: Grouping): CurrencyTotals[] {
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
  /** The groups by case-folded key, because banks write the same merchant name in different case. */
  readonly groups: Map<string, GroupTotal>;
  readonly days: Map<string, Record<Movement['type'], bigint>>;
}

function addToSums({ groups, days }: CurrencySums, movement: Movement, key: string | null): void {
  const amount = toMinorUnits(movement.amountDecimal, movement.currencyCode);
  addToGroup(groups, key, { expense: 0n, income: 0n, movementCount: 1, [movement.type]: amount });
  const day = days.get(movement.occurredOn) ?? { expense: 0n, income: 0n };
  day[movement.type] += amount;
  days.set(movement.occurredOn, day);
}

function addToGroup(
  groups: CurrencySums['groups'],
  key: string | null,
  { expense, income, movementCount }: Omit<GroupTotal, 'key'>,
): void {
  const foldedKey = key === null ? '' : normalizeName(key);
  const group = groups.get(foldedKey) ?? { key, expense: 0n, income: 0n, movementCount: 0 };
  group.expense += expense;
  group.income += income;
  group.movementCount += movementCount;
  groups.set(foldedKey, group);
}

function keyOf(movement: Movement, by: Grouping): string | null {
  if (by === 'category') return movement.categoryId;
  if (by === 'account') return movement.accountId;
  return by === 'month' ? movement.occurredOn.slice(0, 7) : movement.merchantName;
}

function byKey(one: GroupTotal, other: GroupTotal): number {
  return (one.key ?? '') < (other.key ?? '') ? -1 : 1;
}

function byAmount(one: GroupTotal, other: GroupTotal): number {
  const [left, right] = [one.expense + one.income, other.expense + other.income];
  return left === right ? byKey(one, other) : left > right ? -1 : 1;
}
