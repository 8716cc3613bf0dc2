import { currencyExponent, fromMinorUnits } from '@centavo/contracts/calls';
import { NumberColumn } from '@centavo/statement-reader';
import type { ResolvedRow } from '../rows.js';

/** The values by which the user recognizes a row that is one side of a transfer, or that fits several transfers. */
export interface PairRow {
  readonly index: number;
  readonly line: number;
  readonly day: string;
  readonly account: string;
}

/**
 * The rows of a file, with the properties that decide whether two rows are the two sides of a transfer. The properties are
 * stored in columns of numbers. In these columns, a row takes 28 bytes; as an object, it would take about 300 bytes. Rows
 * are identified by their position, from 0, in the order in which they were added.
 */
export class PairCandidates {
  readonly #indexes = new NumberColumn(Uint32Array);
  readonly #lines = new NumberColumn(Uint32Array);
  readonly #days = new NumberColumn(Int32Array);
  /** The account and direction as one number: `2 * account + (income ? 1 : 0)`; `account` is the number from `#accounts`. */
  readonly #sides = new NumberColumn(Uint32Array);
  /**
   * The amount in minor units. If the amount is not a safe integer, `#longAmounts` stores it as a string and assigns it a number `n`, and
   * this column contains `-1 - n`.
   */
  readonly #amounts = new NumberColumn(Float64Array);
  readonly #currencies = new NumberColumn(Uint32Array);
  readonly #accounts = new InternedTexts();
  readonly #accountNames: string[] = [];
  readonly #longAmounts = new InternedTexts();
  readonly #currencyCodes = new InternedTexts();

  get count(): number {
    return this.#indexes.length;
  }

  get hasSeveralAccounts(): boolean {
    return this.#accountNames.length > 1;
  }

  add({ index, line, transaction, target }: ResolvedRow): void {
    const { currencyCode } = target;
    // `resolveRows` has already rejected rows with more decimal places than their currency has. So the padded digits
    // are the amount in minor units.
    const [whole = '', decimals = ''] = transaction.amountDecimal.split('.');
    const minorUnits = whole + decimals.padEnd(currencyExponent(currencyCode), '0');
    const amount = Number(minorUnits);
    const isLong = !Number.isSafeInteger(amount);
    const account = this.#accounts.numberOf(target.id ?? `new ${target.name}`);
    this.#accountNames[account] ??= target.name;
    this.#indexes.push(index);
    this.#lines.push(line);
    this.#days.push(Date.parse(transaction.occurredOn) / dayMs);
    this.#sides.push(account * 2 + (transaction.direction === 'income' ? 1 : 0));
    this.#amounts.push(isLong ? -1 - this.#longAmounts.numberOf(minorUnits) : amount);
    this.#currencies.push(this.#currencyCodes.numberOf(currencyCode));
  }

  index(position: number): number {
    return this.#indexes.at(position);
  }

  line(position: number): number {
    return this.#lines.at(position);
  }

  /** Returns the day of a row, as the number of days since 1970-01-01. */
  day(position: number): number {
    return this.#days.at(position);
  }

  /** Returns a number that represents the row's account and direction. It is odd for income. */
  side(position: number): number {
    return this.#sides.at(position);
  }

  isIncome(position: number): boolean {
    return this.side(position) % 2 === 1;
  }

  /** Returns whether two results of `side` stand for opposite directions and different accounts. */
  areOpposite(one: number, other: number): boolean {
    return one % 2 !== other % 2 && one >> 1 !== other >> 1;
  }

  /** Compares rows by amount and currency. Returns 0 if amount and currency are equal. */
  compareAmounts(one: number, other: number): number {
    return this.#amounts.at(one) - this.#amounts.at(other) || this.#currencies.at(one) - this.#currencies.at(other);
  }

  /** Returns the amount with its currency: `"554.99 USD"`. */
  amount(position: number): string {
    const amount = this.#amounts.at(position);
    const currencyCode = this.#currencyCodes.textOf(this.#currencies.at(position));
    const minorUnits = amount < 0 ? this.#longAmounts.textOf(-1 - amount) : String(amount);
    return `${fromMinorUnits(BigInt(minorUnits), currencyCode)} ${currencyCode}`;
  }

  describe(position: number): PairRow {
    return {
      index: this.index(position),
      line: this.line(position),
      day: new Date(this.day(position) * dayMs).toISOString().slice(0, 10),
      account: this.#accountNames[this.side(position) >> 1] ?? '',
    };
  }

  /** Finds the row whose number in the file is `index`, and returns its position here. Returns undefined if that row was not added. */
  find(index: number): number | undefined {
    const position = lowerBound(this.count, (candidate) => this.index(candidate) >= index);
    return this.index(position) === index ? position : undefined;
  }
}

/**
 * Returns the first number from 0 to `count - 1` that meets the condition, or `count` if no number does. If a
 * number meets the condition, all larger numbers must meet it too.
 */
export function lowerBound(count: number, meetsCondition: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (meetsCondition(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const dayMs = 86_400_000;

/** Assigns the numbers 0, 1, 2 and so on to different texts. Equal texts have the same number. */
class InternedTexts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#texts.length);
    this.#texts.push(text);
    return this.#texts.length - 1;
  }

  textOf(number: number): string {
    return this.#texts[number] ?? '';
  }
}
