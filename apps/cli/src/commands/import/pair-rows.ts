import { currencyExponent } from '@centavo/sdk';
import { describeAmount } from '../../statements/describe-amount.js';
import { NumberColumn } from '../../statements/number-column.js';
import type { IdentifiedRow } from './identify-rows.js';

/** One row of a pair, or of several that might be, as a person is shown it. */
export interface PairSide {
  readonly index: number;
  readonly line: number;
  readonly day: string;
  readonly account: string;
}

/**
 * What of each row decides whether it is half of a transfer: 28 bytes, where objects would take some three hundred. Rows
 * are named by their place, from 0, in the order in which they were added.
 */
export class PairRows {
  readonly #indexes = new NumberColumn(Uint32Array);
  readonly #lines = new NumberColumn(Uint32Array);
  readonly #days = new NumberColumn(Int32Array);
  /** Number of the account, doubled, and one more for income. */
  readonly #sides = new NumberColumn(Uint32Array);
  /** The amount in the smallest unit of its currency; a negative one is the number of an amount that has too many digits. */
  readonly #digits = new NumberColumn(Float64Array);
  readonly #currencies = new NumberColumn(Uint32Array);
  readonly #accounts = new Numbered();
  readonly #accountNames: string[] = [];
  readonly #longAmounts = new Numbered();
  readonly #currencyCodes = new Numbered();

  get count(): number {
    return this.#indexes.length;
  }

  /** Whether there can be a transfer at all. */
  get hasSeveralAccounts(): boolean {
    return this.#accountNames.length > 1;
  }

  add({ index, line, transaction, target }: IdentifiedRow): void {
    const { currencyCode } = target;
    const [whole = '', decimals = ''] = transaction.amountDecimal.split('.');
    const smallestUnits = whole + decimals.padEnd(currencyExponent(currencyCode), '0');
    const digits = Number(smallestUnits);
    const isLong = !Number.isSafeInteger(digits);
    const account = this.#accounts.numberOf(target.id ?? `new ${target.name}`);
    this.#accountNames[account] ??= target.name;
    this.#indexes.push(index);
    this.#lines.push(line);
    this.#days.push(Date.parse(transaction.occurredOn) / dayMs);
    this.#sides.push(account * 2 + (transaction.direction === 'income' ? 1 : 0));
    this.#digits.push(isLong ? -1 - this.#longAmounts.numberOf(smallestUnits) : digits);
    this.#currencies.push(this.#currencyCodes.numberOf(currencyCode));
  }

  index(place: number): number {
    return this.#indexes.at(place);
  }

  line(place: number): number {
    return this.#lines.at(place);
  }

  /** Days since 1970. */
  day(place: number): number {
    return this.#days.at(place);
  }

  /** The same number for rows of one account and one direction; odd for income. */
  side(place: number): number {
    return this.#sides.at(place);
  }

  isIncome(place: number): boolean {
    return this.side(place) % 2 === 1;
  }

  /** Whether two sides may be those of a transfer. */
  areOpposite(one: number, other: number): boolean {
    return one % 2 !== other % 2 && one >> 1 !== other >> 1;
  }

  /** Orders rows so that those of one amount and currency are neighbours; 0 for two of them. */
  compareAmounts(one: number, other: number): number {
    return this.#digits.at(one) - this.#digits.at(other) || this.#currencies.at(one) - this.#currencies.at(other);
  }

  /** `"554.99 USD"`. */
  amount(place: number): string {
    const digits = this.#digits.at(place);
    const currencyCode = this.#currencyCodes.nameOf(this.#currencies.at(place));
    const smallestUnits = digits < 0 ? this.#longAmounts.nameOf(-1 - digits) : String(digits);
    return describeAmount(withPoint(smallestUnits, currencyExponent(currencyCode)), currencyCode);
  }

  describe(place: number): PairSide {
    return {
      index: this.index(place),
      line: this.line(place),
      day: new Date(this.day(place) * dayMs).toISOString().slice(0, 10),
      account: this.#accountNames[this.side(place) >> 1] ?? '',
    };
  }

  /** The place of the row that has this place in the file; undefined where that one was not added. */
  find(index: number): number | undefined {
    const place = firstFrom(this.count, (candidate) => this.index(candidate) >= index);
    return this.index(place) === index ? place : undefined;
  }
}

/** The first of `count` places that `isReached` says yes to, where it does of all behind it too; else `count`. */
export function firstFrom(count: number, isReached: (place: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const dayMs = 86_400_000;

function withPoint(smallestUnits: string, decimals: number): string {
  if (decimals === 0) return smallestUnits;
  const text = smallestUnits.padStart(decimals + 1, '0');
  return `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** Gives names numbers, from 0, the same one each time. */
class Numbered {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    this.#names.push(name);
    return this.#names.length - 1;
  }

  nameOf(number: number): string {
    return this.#names[number] ?? '';
  }
}
