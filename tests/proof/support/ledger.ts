/** A currency of the model with its decimals by ISO 4217. */
export const decimalsOf = { EUR: 2, JPY: 0, KWD: 3 } as const;
export type Currency = keyof typeof decimalsOf;

/** An account of the model. Amounts are in minor units. */
export interface Cashbox {
  readonly id: string;
  readonly accountId: string;
  readonly currencyCode: Currency;
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
    readonly version: number;
    readonly createdAt: string;
  };
  readonly tags: string[];
}

export interface Category {
  readonly id: string;
  readonly name: string;
  readonly kind: 'expense' | 'income' | 'any';
}

/** A keyed write that succeeded. */
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
}

/** An expected refusal: its code, and its reason or issues. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly reason?: string;
  readonly issues?: readonly string[];
}

/** A tracker in memory: a simple model of the contract without database and concurrency. */
export class Ledger {
  readonly cashboxes: Cashbox[] = [];
  readonly entries: Entry[] = [];
  readonly categories: Category[] = [{ id: 'cat_unknown', name: 'Desconocido', kind: 'any' }];
  readonly done: Done[] = [];

  /** Adds a movement that the API has recorded. */
  add(entry: Entry): void {
    this.entries.push(entry);
    this.#move(entry.record, 1n);
  }

  /** Replaces a movement by its corrected version. */
  correct(entry: Entry, after: Partial<Entry['record']>): void {
    this.#move(entry.record, -1n);
    entry.record = { ...entry.record, ...after };
    this.#move(entry.record, 1n);
  }

  #move({ cashboxId, amountDecimal, currencyCode, type }: Entry['record'], sign: bigint): void {
    const cashbox = this.cashboxes.find(({ id }) => id === cashboxId);
    if (cashbox === undefined) throw new Error(`The API named a cashbox that was never opened: ${cashboxId}`);
    cashbox.balance += sign * (type === 'income' ? 1n : -1n) * unitsOf(amountDecimal, currencyCode);
  }

  /** Returns the cashbox of a write, or the expected refusal. */
  chooseCashbox(accountId: string, named: string | undefined): Cashbox | string {
    const eligible = this.cashboxes.filter((cashbox) => cashbox.accountId === accountId && cashbox.isActive);
    if (named !== undefined) return eligible.find(({ id }) => id === named) ?? 'NO_ELIGIBLE_CASHBOX';
    if (eligible.length > 1) return 'CASHBOX_SELECTION_REQUIRED';
    return eligible[0] ?? 'NO_ELIGIBLE_CASHBOX';
  }

  /** Returns the movements of a filter, in the order of the list. */
  list({ accountId, type, kind, from }: Filter): Entry['record'][] {
    return this.entries
      .map(({ record }) => record)
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
}

/** Compares by date, then by time of creation, then by id. */
export function positionOf({ occurredOn, createdAt, id }: Entry['record']): string {
  return `${occurredOn} ${createdAt} ${id}`;
}

/** Converts `12.5` EUR to 1250n; returns undefined if the amount has too many decimals. */
export function findUnits(amountDecimal: string, currencyCode: Currency): bigint | undefined {
  const [whole = '', fraction = ''] = amountDecimal.split('.');
  const decimals = decimalsOf[currencyCode];
  return fraction.length > decimals ? undefined : BigInt(whole + fraction.padEnd(decimals, '0'));
}

function unitsOf(amountDecimal: string, currencyCode: Currency): bigint {
  const units = findUnits(amountDecimal, currencyCode);
  if (units === undefined) throw new Error(`${amountDecimal} has more decimals than ${currencyCode}`);
  return units;
}

/** Converts 1250n of EUR to `12.50`. */
export function decimalOf(units: bigint, currencyCode: Currency): string {
  const decimals = decimalsOf[currencyCode];
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return units < 0n ? `-${text}` : text;
}
