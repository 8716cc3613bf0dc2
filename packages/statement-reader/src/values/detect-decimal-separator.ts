import { currencyCodes, currencyExponent } from '@centavo/contracts/calls';
import { StatementError } from '../statement-error.js';
import { currenciesIn, type DecimalSeparator, decimalEvidence, parseAmount } from './amounts.js';
import { toAsciiDigits } from './characters.js';

interface AmountOfUnknownCurrency {
  readonly cell: string;
  readonly separator: DecimalSeparator;
  /** The currencies that the amount may have; undefined if any is possible. */
  readonly possible: ReadonlySet<string> | undefined;
}

/** Detects the decimal separator of a file from all its amounts. */
export class DecimalSeparatorDetector {
  /** An amount for each separator that an amount shows. */
  readonly #examples = new Map<DecimalSeparator, string>();
  /**
   * Zeros such as `0.00`, by their point or comma. A program may fill empty cells with zeros. So zeros alone decide only if the currency
   * and the balances do not.
   */
  readonly #zeros = new Map<DecimalSeparator, string>();
  /** Amounts with the evidence `either`, by their point or comma. */
  readonly #undecided = new Map<DecimalSeparator, string>();
  /** Those amounts of `#undecided` that end with a zero, such as `5.000`, if their currency is not known to have three decimal places. */
  readonly #undecidedRound = new Map<DecimalSeparator, string>();
  /** The separators that an amount with more than two decimal places shows. */
  readonly #ofLongDecimals = new Set<DecimalSeparator>();
  /**
   * Those amounts of `#undecided` whose currency is not known, one for each separator and each set of currencies that the amount may have.
   */
  readonly #ofUnknownCurrency = new Map<string, AmountOfUnknownCurrency>();
  /** For each other amount of `#undecided`: the separator that its currency shows. */
  readonly #byCurrency = new Set<DecimalSeparator | undefined>();

  /** @param columnCurrencies the currencies that the amounts of the row may have; undefined if they are not known */
  add(cell: string, columnCurrencies?: ReadonlySet<string>): void {
    if (cell === '') return;
    const evidence = decimalEvidence(cell);
    if (evidence === 'none') return;
    if (evidence !== 'either') {
      (isZero(cell) ? this.#zeros : this.#examples).set(evidence, cell);
      if (/[.,]\d{3,}\D*$/.test(cell)) this.#ofLongDecimals.add(evidence);
      return;
    }
    const separator = cell.includes(',') ? ',' : '.';
    this.#undecided.set(separator, cell);
    const possible = narrowCurrencies(currenciesIn(cell), columnCurrencies);
    if (/0\D*$/.test(cell) && ![...(possible ?? [])].some(hasThreeDecimals)) this.#undecidedRound.set(separator, cell);
    const byAll = possible && separatorOfCurrency(cell, possible);
    if (possible === undefined || (byAll === undefined && possible.size > 1))
      this.#ofUnknownCurrency.set([separator, ...(possible ?? [])].join(), { cell, separator, possible });
    else this.#byCurrency.add(byAll);
  }

  /** Whether the currency of the account can decide, or can contradict the separator that the amounts show. */
  get needsCurrency(): boolean {
    if (this.#shown.size === 2) return false;
    const shown = this.evidence;
    return [...this.#ofUnknownCurrency.values()].some(({ separator }) => shown === undefined || separator === shown);
  }

  /**
   * Returns the separator that the currencies show; undefined if they do not show it for all amounts with the evidence `either`.
   *
   * @param accountCurrency the currency of the amounts whose currency is not known otherwise; ignored for an amount with a symbol of other
   *   currencies
   */
  currencyEvidence(accountCurrency: string | undefined): DecimalSeparator | undefined {
    const others = [...this.#ofUnknownCurrency.values()].map(({ cell, possible }) =>
      accountCurrency === undefined || possible?.has(accountCurrency) === false
        ? undefined
        : separatorOfCurrency(cell, new Set([accountCurrency])),
    );
    const separators = new Set([...this.#byCurrency, ...others]);
    return separators.size === 1 ? [...separators][0] : undefined;
  }

  /** The separator that the amounts show; undefined if they contradict each other or allow both separators. */
  get evidence(): DecimalSeparator | undefined {
    const [separator, ...others] = this.#shown.keys();
    return others.length === 0 ? separator : undefined;
  }

  /** An amount for each separator that the amounts show. The separator of a zero counts only if another amount shows a separator. */
  get #shown(): ReadonlyMap<DecimalSeparator, string> {
    return this.#examples.size === 0 ? this.#examples : new Map([...this.#zeros, ...this.#examples]);
  }

  /** Whether some amount certainly has more than two decimal places, such as `89500.000`. */
  get hasLongDecimals(): boolean {
    return this.#ofLongDecimals.size > 0;
  }

  /** Whether no amount has a point or a comma. */
  get areWhole(): boolean {
    return this.#examples.size + this.#zeros.size + this.#undecided.size === 0;
  }

  /**
   * @param saved the separator of the saved mapping; used if the amounts do not decide, and instead of the last three errors below
   * @param outside the separator that the currency or the balances show
   * @throws StatementError in four cases: some amounts have a decimal point and others a decimal comma; an amount such as `1,234` can be
   *   read in two ways and nothing decides; the file has such an amount, the other amounts show one separator, and `outside` is the
   *   other; or nothing outside decides, and an amount such as `5.000` has a zero as its third decimal place, although the other amounts
   *   have at most two places
   */
  requireSeparator(saved?: DecimalSeparator, outside?: DecimalSeparator): DecimalSeparator {
    const [point, comma] = [this.#shown.get('.'), this.#shown.get(',')];
    if (point !== undefined && comma !== undefined) {
      throw new StatementError(
        `"${point}" is written with a decimal point and "${comma}" with a decimal comma.`,
        'Export the statement again, and do not open it in a spreadsheet program before the import. --decimal-separator . reads "1,234" as 1234, and --decimal-separator , reads it as 1.234; amounts that do not fit the choice fail.',
        { decimalSeparator: '.' },
      );
    }
    const shown = this.evidence;
    if (shown !== undefined) {
      const doubtful = outside === undefined ? this.#findRoundAmount(shown) : this.#undecided.get(shown);
      return doubtful === undefined || outside === shown ? shown : (saved ?? refuse(doubtful));
    }
    const [ofZeros, ...others] = this.#zeros.keys();
    const [undecided] = this.#undecided.values();
    // `0.00` does not decide what `5.000` means: a program that writes two decimal places would write `5.00`.
    const decidesByZero =
      others.length === 0 && (undecided === undefined || /[.,]0{3}\D*$/.test(this.#zeros.get(ofZeros ?? '.') ?? ''));
    const decided = saved ?? outside ?? (decidesByZero ? ofZeros : undefined);
    if (decided !== undefined) return decided;
    return undecided === undefined ? '.' : refuse(undecided);
  }

  /**
   * Returns an amount such as `5.000` if all amounts that show the separator have at most two decimal places. A program writes such an
   * amount as `5`, `5.0` or `5.00`, so the point may separate groups, as in a file that was edited.
   */
  #findRoundAmount(shown: DecimalSeparator): string | undefined {
    return this.#ofLongDecimals.has(shown) ? undefined : this.#undecidedRound.get(shown);
  }
}

/** @throws StatementError always, because an amount can be read in two ways */
function refuse(amount: string): never {
  throw new StatementError(
    `The amount "${amount}" can have a thousands separator, or three decimal places.`,
    `Choose one: --decimal-separator . reads it as ${spell(amount, '.')}, and --decimal-separator , as ${spell(amount, ',')}.`,
    { decimalSeparator: '.' },
  );
}

function hasThreeDecimals(code: string): boolean {
  return currencyCodes.has(code) && currencyExponent(code) > 2;
}

/** Returns whether an amount has no other digits than zeros. */
function isZero(text: string): boolean {
  return !/[^\P{Nd}0]/u.test(toAsciiDigits(text));
}

function spell(text: string, separator: DecimalSeparator): string {
  const amount = parseAmount(text, separator);
  return amount === undefined ? text : `${amount.sign === 'minus' ? '-' : ''}${amount.amountDecimal}`;
}

/**
 * Returns the currencies that are in both sets. Returns the first set if the two exclude each other, and the other set if one of them is
 * undefined.
 */
export function narrowCurrencies(
  first: ReadonlySet<string> | undefined,
  second: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const common = new Set([...first].filter((code) => second.has(code)));
  return common.size > 0 ? common : first;
}

/** Returns whether banks usually write a currency without decimal places, and with this separator between its thousands. */
export function isWrittenWhole(currencyCode: string | null, groupSeparator: DecimalSeparator): boolean {
  return groupSeparators.get(currencyCode ?? '') === groupSeparator;
}

/**
 * Maps each currency that banks usually write without decimal places to the separator between its thousands. COP, HUF, IDR and TWD have two
 * decimal places by ISO 4217, but their smallest units are worth almost nothing.
 */
const groupSeparators: ReadonlyMap<string, DecimalSeparator> = new Map([
  ...['JPY', 'KRW', 'RWF', 'TWD', 'UGX'].map((code) => [code, ','] as const),
  ...['CLP', 'COP', 'HUF', 'IDR', 'ISK', 'PYG', 'VND'].map((code) => [code, '.'] as const),
]);

/** Currencies that banks usually write with a point and three decimal places. */
const pointCurrencies: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR']);

/**
 * Returns the decimal separator that the currency of an amount such as `5,000` shows: in yen, the comma can only separate groups. Banks
 * usually write forints without decimals too, so the point of `5.000` separates groups. In Kuwaiti dinars, the same point separates three
 * decimals.
 *
 * @param currencies the currencies that the amount may have
 * @returns undefined if the currencies do not decide
 */
function separatorOfCurrency(text: string, currencies: ReadonlySet<string>): DecimalSeparator | undefined {
  if (currencies.size > 0 && [...currencies].every((code) => pointCurrencies.has(code)) && text.includes('.'))
    return '.';
  const [grouping, ...others] = new Set([...currencies].map((code) => groupSeparators.get(code)));
  if (grouping === undefined || others.length > 0 || !text.includes(grouping)) return undefined;
  return grouping === ',' ? '.' : ',';
}
