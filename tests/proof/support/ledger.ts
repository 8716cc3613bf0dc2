/** The number of decimal places of each currency in the model, according to ISO 4217. */
export const decimalsOf = { EUR: 2, JPY: 0, KWD: 3 } as const;
export type Currency = keyof typeof decimalsOf;

/** A cashbox of the model. Amounts are in minor units. */
export interface Cashbox {
  readonly id: string;
  readonly accountId: string;
  readonly currencyCode: Currency;
  readonly opening: bigint;
  balance: bigint;
  isActive: boolean;
}

/** A movement as the API must return it, with all its ETags; the last is the current one. */
export interface Entry {
  record: {
    readonly id: string;
    readonly type: 'expense' | 'income';
    readonly kind: 'regular' | 'transfer';
    readonly amountDecimal: string;
    readonly currencyCode: Currency;
    readonly accountId: string;
    readonly cashboxId: string;
    readonly categoryId: string | null;
    readonly occurredOn: string;
    readonly description: string | null;
    readonly merchantName: string | null;
    readonly transferGroupId: string | null;
    readonly externalId: string | null;
    readonly version: number;
    readonly voidedAt: string | null;
    readonly createdAt: string;
  };
  readonly tags: string[];
}

/** A transfer with its movements, and all its ETags; the last is the current one. */
export interface Pair {
  readonly groupId: string;
  readonly legs: readonly Entry[];
  readonly tags: string[];
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly kind: 'expense' | 'income' | 'any';
}

/** A write with an idempotency key that succeeded. */
export interface Done {
  readonly methodAndPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly data: unknown;
  readonly etag: string | null;
}

/** The filter of `GET /movements`. */
export interface Filter {
  readonly accountId?: string;
  readonly type?: 'expense' | 'income';
  readonly kind?: 'regular' | 'transfer';
  readonly from?: string;
  readonly externalId?: string;
  readonly includeVoided?: 'true';
}

export const groupings = ['category', 'month', 'merchant', 'account'] as const;

/** The amounts of a summary. */
export interface Sums {
  readonly currencyCode: Currency;
  readonly expenseDecimal: string;
  readonly incomeDecimal: string;
  readonly netDecimal: string;
  readonly movementCount: number;
}

/** An expected refusal. The reason and the issue codes are checked only if they are given. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly reason?: string;
  readonly issues?: readonly string[];
}

/** A tracker in memory: a simple model of the contract, without a database and without concurrency. */
export class Ledger {
  readonly cashboxes: Cashbox[] = [];
  readonly entries: Entry[] = [];
  readonly pairs: Pair[] = [];
  readonly categories: Category[] = [{ id: 'cat_unknown', name: 'Desconocido', kind: 'any' }];
  readonly done: Done[] = [];

  /** Adds a movement that the API has recorded. */
  add(entry: Entry): void {
    this.entries.push(entry);
    this.#changeBalance(entry.record, 1n);
  }

  /** Replaces a movement with its corrected version. */
  correct(entry: Entry, after: Partial<Entry['record']>): void {
    this.#changeBalance(entry.record, -1n);
    entry.record = { ...entry.record, ...after };
    this.#changeBalance(entry.record, 1n);
  }

  /** Voids a movement: removes its amount from the balance, and sets the given fields of its record. */
  void(entry: Entry, after: Pick<Entry['record'], 'version' | 'voidedAt'>): void {
    this.#changeBalance(entry.record, -1n);
    entry.record = { ...entry.record, ...after };
  }

  #changeBalance({ cashboxId, amountDecimal, currencyCode, type }: Entry['record'], sign: bigint): void {
    const cashbox = this.cashboxes.find(({ id }) => id === cashboxId);
    if (cashbox === undefined) throw new Error(`The API named a cashbox that was never opened: ${cashboxId}`);
    cashbox.balance += sign * (type === 'income' ? 1n : -1n) * unitsOf(amountDecimal, currencyCode);
  }

  /** Returns the cashbox that the API must choose for a write, or the issue code of the expected refusal. */
  chooseCashbox(accountId: string, named: string | undefined): Cashbox | string {
    const eligible = this.cashboxes.filter((cashbox) => cashbox.accountId === accountId && cashbox.isActive);
    if (named !== undefined) return eligible.find(({ id }) => id === named) ?? 'NO_ELIGIBLE_CASHBOX';
    if (eligible.length > 1) return 'CASHBOX_SELECTION_REQUIRED';
    return eligible[0] ?? 'NO_ELIGIBLE_CASHBOX';
  }

  /** Returns the movements that match a filter, in the order of the list. */
  list({ accountId, type, kind, from, externalId, includeVoided }: Filter): Entry['record'][] {
    return this.entries
      .map(({ record }) => record)
      .filter(({ voidedAt }) => voidedAt === null || includeVoided === 'true')
      .filter((record) => externalId === undefined || record.externalId === externalId)
      .filter((record) => accountId === undefined || record.accountId === accountId)
      .filter((record) => type === undefined || record.type === type)
      .filter((record) => kind === undefined || record.kind === kind)
      .filter((record) => from === undefined || record.occurredOn >= from)
      .sort((one, other) => (positionOf(one) < positionOf(other) ? 1 : -1));
  }

  /** Returns the expected result of `GET /balances`, by cashbox. */
  balances(): Record<string, string> {
    const active = this.cashboxes.filter(({ isActive }) => isActive);
    return Object.fromEntries(active.map(({ id, balance, currencyCode }) => [id, decimalOf(balance, currencyCode)]));
  }

  /** Returns the expected result of `GET /balances?asOf=`, by cashbox. */
  balancesOn(date: string): Record<string, string> {
    const active = this.cashboxes.filter(({ isActive }) => isActive);
    const counted = this.list({}).filter(({ occurredOn }) => occurredOn <= date);
    return Object.fromEntries(
      active.map(({ id, opening, currencyCode }) => {
        const { expense, income } = addUp(counted.filter(({ cashboxId }) => cashboxId === id));
        return [id, decimalOf(opening + income - expense, currencyCode)];
      }),
    );
  }

  /** Returns the expected rows of `GET /movements/summary`, and the totals of each currency. */
  summarize(
    by: (typeof groupings)[number],
    filter: Filter,
  ): { readonly rows: readonly (Sums & { key: string | null })[]; readonly totals: readonly Sums[] } {
    const records = this.list({ ...filter, kind: 'regular' });
    const keys = new Map(records.map((record) => [`${record.currencyCode} ${keyOf(record, by)}`, record]));
    const groups = [...keys.values()].map((first) => {
      const own = records.filter(
        (record) => record.currencyCode === first.currencyCode && keyOf(record, by) === keyOf(first, by),
      );
      return { key: keyOf(first, by), ...addUp(own), currencyCode: first.currencyCode, movementCount: own.length };
    });
    groups.sort((one, other) => {
      if (one.currencyCode !== other.currencyCode) return one.currencyCode < other.currencyCode ? -1 : 1;
      const [left, right] = [one.expense + one.income, other.expense + other.income];
      if (by !== 'month' && left !== right) return left > right ? -1 : 1;
      if (one.key === null || other.key === null) return one.key === null ? 1 : -1;
      return one.key < other.key === (by !== 'month') ? -1 : 1;
    });
    const currencies = [...new Set(records.map(({ currencyCode }) => currencyCode))].sort();
    return {
      rows: groups.map(({ key, ...group }) => ({ key, ...toSums(group) })),
      totals: currencies.map((currencyCode) => {
        const own = records.filter((record) => record.currencyCode === currencyCode);
        return toSums({ ...addUp(own), currencyCode, movementCount: own.length });
      }),
    };
  }
}

function keyOf(record: Entry['record'], by: (typeof groupings)[number]): string | null {
  if (by === 'month') return record.occurredOn.slice(0, 7);
  return { category: record.categoryId, merchant: record.merchantName, account: record.accountId }[by];
}

interface Units {
  readonly expense: bigint;
  readonly income: bigint;
}

/** Adds up movements of one currency. */
function addUp(records: readonly Entry['record'][]): Units {
  const sums = { expense: 0n, income: 0n };
  for (const { type, amountDecimal, currencyCode } of records) sums[type] += unitsOf(amountDecimal, currencyCode);
  return sums;
}

function toSums(group: Units & Pick<Sums, 'currencyCode' | 'movementCount'>): Sums {
  const { expense, income, currencyCode, movementCount } = group;
  return {
    currencyCode,
    expenseDecimal: decimalOf(expense, currencyCode),
    incomeDecimal: decimalOf(income, currencyCode),
    netDecimal: decimalOf(income - expense, currencyCode),
    movementCount,
  };
}

/** Returns a string that sorts movements by date, then by time of creation, then by id. */
export function positionOf({ occurredOn, createdAt, id }: Entry['record']): string {
  return `${occurredOn} ${createdAt} ${id}`;
}

/** Converts `12.5` EUR to 1250n; returns undefined if the amount has too many decimal places. */
export function findUnits(amountDecimal: string, currencyCode: Currency): bigint | undefined {
  const [whole = '', fraction = ''] = amountDecimal.split('.');
  const decimals = decimalsOf[currencyCode];
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

function unitsOf(amountDecimal: string, currencyCode: Currency): bigint {
  const units = findUnits(amountDecimal, currencyCode);
  if (units === undefined) throw new Error(`${amountDecimal} has more decimal places than ${currencyCode}`);
  return units;
}

/** Converts 1250n of EUR to `12.50`. */
export function decimalOf(units: bigint, currencyCode: Currency): string {
  const decimals = decimalsOf[currencyCode];
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return units < 0n ? `-${text}` : text;
}
