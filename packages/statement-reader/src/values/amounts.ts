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

/** Returns the currencies that an amount names; undefined if it names none. */
export function currenciesIn(text: string): ReadonlySet<string> | undefined {
  const { currencyCode, currencySymbol = '' } = splitSign(text) ?? {};
  return currencyCode === undefined ? currenciesOfSymbol(currencySymbol) : new Set([currencyCode]);
}

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
