import { currencyCodes, currencyExponent } from '@centavo/contracts/calls';
import { StatementError } from '../statement-error.js';
import { isPlainAscii, toAsciiDigits, withoutDirectionMarks } from './characters.js';
import { isoCodes } from './currency-names.js';
import { currenciesOfSymbol } from './currency-symbols.js';

export type DecimalSeparator = '.' | ',';

/**
 * The sign of an amount. `minus` is `-`, `▲`, `△`, parentheses, `DR`, `DB`, `DEB`, `D` or `S`. `plus` is `+`, `CR`, `C` or `H`. `none` is
 * no sign.
 */
export type AmountSign = 'minus' | 'plus' | 'none';

export interface ParsedAmount {
  readonly sign: AmountSign;
  /** Unsigned, in major units (euros, not cents), with a decimal point and without unnecessary zeros: `"1183.2"`, `"0.5"`, `"0"`. */
  readonly amountDecimal: string;
  /** The ISO currency code before or after the digits (`"USD 7"`); undefined if there is none. A symbol such as `$` is not a code. */
  readonly currencyCode: string | undefined;
  /**
   * The currency symbol before or after the digits, in the spelling of the file (`"£"`, `"kr"`); several currencies may
   * share it.
   */
  readonly currencySymbol: string | undefined;
}

/**
 * Parses an amount in the forms that banks write: `"£1,183.20"`, `"-8,78"`, `"(12.00)"`, `"+ 1 100,00"`, `"5.00 CR"`,
 * `"12.00-"`, `"USD 7"`. The result is exact, because no floating-point numbers are used. Drops unnecessary zeros
 * (docs/contract.md, section 11). Does not check the number of decimal places: the API checks it against the currency.
 *
 * @returns undefined if the text is not one amount, its digits are grouped wrongly (`1,23,4`, `1.2.3`), or it has letters that are
 *   neither a known currency nor a debit/credit code (`1.2K`, `3 Mio`)
 */
export function parseAmount(text: string, decimalSeparator: DecimalSeparator): ParsedAmount | undefined {
  const signed = splitSign(text);
  if (signed === undefined) return undefined;
  // A program may fill empty cells with `0.00` in a file whose other amounts have a decimal comma.
  const body = /^0+[.,]0+$/.test(signed.body) ? '0' : signed.body;
  const point = body.lastIndexOf(decimalSeparator);
  const whole = point === -1 ? body : body.slice(0, point);
  const fraction = point === -1 ? '' : body.slice(point + 1);
  const digits = ungroup(whole, decimalSeparator === '.' ? ',' : '.');
  if (digits === undefined || !/^\d*$/.test(fraction) || digits + fraction === '') return undefined;
  const wholeDigits = digits.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  const amountDecimal = decimals === '' ? wholeDigits : `${wholeDigits}.${decimals}`;
  const { sign, currencyCode, currencySymbol } = signed;
  return { sign, amountDecimal, currencyCode, currencySymbol };
}

/**
 * Returns the decimal separator that an amount shows. Returns `either` if the amount does not show whether its point or comma separates
 * decimals or groups, as in `1,234`. Returns `none` if the text has neither a point nor a comma, or is not an amount.
 */
export function decimalEvidence(text: string): DecimalSeparator | 'either' | 'none' {
  const body = splitSign(text)?.body ?? '';
  const points = body.match(/[.,]/g) ?? [];
  const last = points.at(-1) as DecimalSeparator | undefined;
  if (last === undefined) return 'none';
  // If both points and commas occur (`1.234,56`), the last of them separates the decimals. Several points without a comma separate
  // groups, and so do several commas without a point. A single point or comma may separate groups if one to three digits without
  // a leading zero are before it, and exactly three after it.
  if (points.length > 1) {
    const isMixed = points.some((point) => point !== last);
    const separator = isMixed ? last : last === '.' ? ',' : '.';
    // A malformed amount such as `12..34` shows no separator.
    return parseAmount(text, separator) === undefined ? 'none' : separator;
  }
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? 'either' : last;
}

/**
 * Returns the decimal separator that the currency of an amount such as `5,000` shows: in yen, the comma can only separate groups. Forints
 * have decimals, but an amount in forints never has three, so the point of `5.000` separates groups too.
 *
 * @param currencies the currencies that the amount may have
 * @returns undefined if banks usually write a currency with decimals, or with another group separator
 */
function separatorOfCurrency(text: string, currencies: ReadonlySet<string>): DecimalSeparator | undefined {
  const [grouping, ...others] = new Set([...currencies].map((code) => groupSeparators.get(code)));
  if (grouping === undefined || others.length > 0 || !text.includes(grouping)) return undefined;
  return grouping === ',' ? '.' : ',';
}

/** Returns the currencies that an amount names; undefined if it names none. */
function currenciesIn(text: string): ReadonlySet<string> | undefined {
  const { currencyCode, currencySymbol = '' } = splitSign(text) ?? {};
  return currencyCode === undefined ? currenciesOfSymbol(currencySymbol) : new Set([currencyCode]);
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
 * Currencies that banks usually write without decimal places, and with a comma or a point between groups, and this separator. COP, HUF and
 * IDR have two decimal places by ISO 4217, but their smallest units are worth almost nothing.
 */
const groupSeparators: ReadonlyMap<string, DecimalSeparator> = new Map([
  ...['JPY', 'KRW', 'RWF', 'UGX'].map((code) => [code, ','] as const),
  ...['CLP', 'COP', 'HUF', 'IDR', 'ISK', 'PYG', 'VND'].map((code) => [code, '.'] as const),
]);

/** Returns the sign of an amount; undefined if the text is not an amount, or is zero, which has no direction. */
export function findAmountSign(text: string): AmountSign | undefined {
  const signed = splitSign(text);
  return signed === undefined || /^[0., ]*$/.test(signed.body) ? undefined : signed.sign;
}

/** Returns whether an amount has a debit/credit code such as `Dr` before or behind its digits, or a plus or minus behind its digits. */
export function hasCodeOrTrailingSign(text: string): boolean {
  return splitSign(text)?.isMarkedBehind === true;
}

interface SignedBody extends Pick<ParsedAmount, 'sign' | 'currencyCode' | 'currencySymbol'> {
  readonly body: string;
  /** Whether there is a debit/credit code, or a sign behind the digits. */
  readonly isMarkedBehind: boolean;
}

/** Separates the signs, currency symbols and currency codes from the digits, separators and spaces. */
function splitSign(text: string): SignedBody | undefined {
  if (text === '') return undefined;
  // The fast path: nearly every amount of a long file has this form.
  const plain = /^(-?)(\d[\d.,]*)$/.exec(text);
  if (plain !== null) {
    const sign = plain[1] === '-' ? 'minus' : 'none';
    return { sign, body: plain[2] ?? '', currencyCode: undefined, currencySymbol: undefined, isMarkedBehind: false };
  }
  let body = plainSpelling(text);
  const signs: AmountSign[] = [];
  const codes: AmountSign[] = [];
  const currencies: string[] = [];
  let isBehind = false;
  for (let edge = readEdge(body); edge !== undefined; edge = readEdge(body)) {
    if (edge.kind === 'currency') currencies.push(edge.text);
    else (edge.kind === 'sign' ? signs : codes).push(edge.sign);
    isBehind ||= edge.kind === 'sign' && /[+-]$/.test(body) && body.startsWith(edge.rest);
    body = edge.rest;
  }
  if (signs.length > 1 || codes.length > 1 || currencies.length > 1 || !/^[\d.,'’ ]*\d[\d.,'’ ]*$/.test(body)) {
    return undefined;
  }
  // `-5.00 DR` is consistent, `-5.00 CR` contradicts itself.
  const [sign, code] = [signs[0], codes[0]];
  if (sign !== undefined && code !== undefined && sign !== code) return undefined;
  const [currency = ''] = currencies;
  return {
    sign: sign ?? code ?? 'none',
    body,
    currencyCode: codeOf(currency),
    currencySymbol: currenciesOfSymbol(currency) === undefined ? undefined : currency,
    isMarkedBehind: code !== undefined || isBehind,
  };
}

/**
 * Returns whether a cell has no amount: it is empty, or has only a dash (`-`, `–`, `—`), a currency (`€`, `د.ا.`), or
 * both.
 */
export function isEmptyAmount(text: string): boolean {
  if (/\p{Nd}/u.test(text)) return false;
  const plain = plainSpelling(text)
    .replace(/^-+|-+$/g, '')
    .trim();
  return plain === '' || isCurrency(plain);
}

/**
 * Replaces typographic dashes, spaces and digits by their ASCII forms, and the Japanese minus `▲` or `△` by `-`. Both `5,-` and `5, 00`
 * become `5,00`. Removes Unicode direction marks, and an apostrophe at the beginning.
 */
function plainSpelling(text: string): string {
  const plain = isPlainAscii(text)
    ? text
    : toAsciiDigits(withoutDirectionMarks(text.normalize('NFKC').replace(/[\u2010-\u2015\u2212▲△]/g, '-')));
  return plain
    .trim()
    .replace(/^'(?=[-+(\d])/, '')
    .replace(/(\d)([.,])-{1,2}(?=\D*$)/, '$1$200')
    .replace(/(?<=\d[.,]) (?=\d{2}$)/, '');
}

type Edge =
  | { readonly kind: 'sign' | 'code'; readonly sign: AmountSign; readonly rest: string }
  | { readonly kind: 'currency'; readonly text: string; readonly rest: string };

/** Returns the sign, the debit/credit code or the currency at one end of an amount; undefined if there is none. */
function readEdge(body: string): Edge | undefined {
  const parenthesised = /^\((.*)\)$/.exec(body)?.[1];
  if (parenthesised !== undefined) return { kind: 'sign', sign: 'minus', rest: parenthesised.trim() };
  const plusOrMinus = /^([+-])|([+-])$/.exec(body);
  if (plusOrMinus !== null) {
    const sign = (plusOrMinus[1] ?? plusOrMinus[2]) === '-' ? 'minus' : 'plus';
    return { kind: 'sign', sign, rest: body.replace(plusOrMinus[0], '').trim() };
  }
  const code = /^(cr|dr|db|deb|[cdhs])\.?(?=[\s\d+(-])|(?<=[\d\s)])(cr|dr|db|deb|[cdhs])\.?$/i.exec(body);
  if (code !== null) {
    const sign = /^[ch]/i.test(code[0]) ? 'plus' : 'minus';
    return { kind: 'code', sign, rest: body.replace(code[0], '').trim() };
  }
  const currency = currencyPattern.exec(body)?.[0];
  if (currency === undefined || !isCurrency(currency)) return undefined;
  return { kind: 'currency', text: currency, rest: body.replace(currency, '').trim() };
}

const symbolPattern = '[\\p{L}\\p{M}]{0,3}\\p{Sc}\\p{L}{0,2}';
const wordPattern = '\\p{L}[\\p{L}\\p{M}"״\']{0,6}(?:[./]\\p{L}{1,2}){0,3}[./]{0,2}';
/**
 * Matches what may be a currency before or after an amount: a symbol, such as `$`, `US$` and `U$S`, or a word, such as `kr`, `S/.` and
 * `د.ا.`. `K` after an amount means thousands, so it is not matched.
 */
const currencyPattern = new RegExp(
  `^(?:${symbolPattern}(?![\\p{L}\\p{Sc}])|${wordPattern}(?=[\\s\\d+(-]))|(?<![\\p{L}\\p{M}\\p{Sc}])${symbolPattern}$|(?<=[\\d\\s)+.,-])(?!k\\.?$)${wordPattern}$`,
  'iu',
);

function isCurrency(text: string): boolean {
  return codeOf(text) !== undefined || currenciesOfSymbol(text) !== undefined;
}

/** Returns the ISO currency code that a text consists of; undefined for other texts. */
function codeOf(text: string): string | undefined {
  const code = text.toUpperCase().replace(/\.$/, '');
  return isoCodes.has(code) ? code : undefined;
}

/**
 * Removes the group separators: `"1,183"` → `"1183"`. All separators must be equal. Groups have three digits; the
 * first may have fewer, and groups in the middle may have two, as in India.
 */
function ungroup(whole: string, otherSeparator: DecimalSeparator): string | undefined {
  if (/^\d*$/.test(whole)) return whole;
  const separator = whole.replace(/\d/g, '')[0] ?? '';
  if (!`${otherSeparator}'’ `.includes(separator)) return undefined;
  const groups = whole.split(separator);
  const wellFormed = groups.every((group, index) => {
    if (index === 0) return /^\d{1,3}$/.test(group);
    return index === groups.length - 1 ? /^\d{3}$/.test(group) : /^\d{2,3}$/.test(group);
  });
  return wellFormed ? groups.join('') : undefined;
}

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
  /** What the currencies of the other amounts of `#undecided` show. */
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

  /** An amount for each separator that the amounts show: that of a zero counts if another amount shows one. */
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
   * @param saved the separator of the saved mapping; used if the amounts do not decide, or if `outside` contradicts them
   * @param outside the separator that the currency or the balances show
   * @throws StatementError in four cases: some amounts have a decimal point and others a decimal comma; an amount such as `1,234` can be
   *   read in two ways and nothing decides; the amounts show one separator and `outside` is the other; or nothing outside decides, and an
   *   amount such as `5.000` has a zero as its third decimal place, although the other amounts have at most two places
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
