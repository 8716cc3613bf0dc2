import { currenciesOfSign } from './currency-signs.js';

export type DecimalSeparator = '.' | ',';

/** How an amount is marked: `-`, parentheses, `DR` or `S`; `+`, `CR` or `H`; or not at all. */
export type AmountMark = 'minus' | 'plus' | 'bare';

export interface ParsedAmount {
  readonly mark: AmountMark;
  /** Unsigned, whole units, `.` as separator, no leading or trailing zeros: `"1183.2"`; `"0"` for zero. */
  readonly amountDecimal: string;
  /** The ISO code beside the digits (`"USD 7"`), which a sign such as `$` is not; undefined where there is none. */
  readonly currencyCode: string | undefined;
  /** The sign beside the digits as it stands there (`"£"`, `"kr"`), which several currencies may have; else undefined. */
  readonly currencySign: string | undefined;
}

/**
 * Reads an amount as banks write it, exactly: `"£1,183.20"`, `"-8,78"`, `"(12.00)"`, `"+ 1 100,00"`, `"5.00 CR"`,
 * `"12.00-"`, `"USD 7"`. Only text is handled, never a floating-point number, so no digit can change. Trailing zeros
 * carry nothing and are dropped (`8.850` is `8.85`; contract, section 11); whether the rest suits the currency is the
 * API's decision.
 *
 * @returns undefined when the text is not one amount, or its groups are not groups (`1,23,4`, `1.2.3`)
 */
export function parseAmount(text: string, decimalSeparator: DecimalSeparator): ParsedAmount | undefined {
  const marked = splitMark(text);
  if (marked === undefined) return undefined;
  const point = marked.body.lastIndexOf(decimalSeparator);
  const whole = point === -1 ? marked.body : marked.body.slice(0, point);
  const fraction = point === -1 ? '' : marked.body.slice(point + 1);
  const digits = ungroup(whole, decimalSeparator === '.' ? ',' : '.');
  if (digits === undefined || !/^\d*$/.test(fraction) || digits + fraction === '') return undefined;
  const wholeDigits = digits.replace(/^0+(?=\d)/, '') || '0';
  const decimals = fraction.replace(/0+$/, '');
  const amountDecimal = decimals === '' ? wholeDigits : `${wholeDigits}.${decimals}`;
  const { mark, currencyCode, currencySign } = marked;
  return { mark, amountDecimal, currencyCode, currencySign };
}

/**
 * What one amount says about the decimal separator: a certain answer, `either` when `1,234` could be both, `none` when
 * there is nothing to separate.
 */
export function decimalEvidence(text: string): DecimalSeparator | 'either' | 'none' {
  const body = splitMark(text)?.body ?? '';
  const points = body.match(/[.,]/g) ?? [];
  const last = points.at(-1) as DecimalSeparator | undefined;
  if (last === undefined) return 'none';
  if (points.some((point) => point !== last)) return last;
  // The same character twice can only group; once, it groups if exactly three digits follow one to three others.
  if (points.length > 1) return last === '.' ? ',' : '.';
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? 'either' : last;
}

/** How an amount is marked; undefined where there is no amount, or none but zero, which has no side. */
export function findAmountMark(text: string): AmountMark | undefined {
  const marked = splitMark(text);
  return marked === undefined || /^[0., ]*$/.test(marked.body) ? undefined : marked.mark;
}

interface MarkedBody extends Pick<ParsedAmount, 'mark' | 'currencyCode' | 'currencySign'> {
  readonly body: string;
}

/** Takes signs, currency signs and currency codes off; what is left has digits, separators and spaces only. */
function splitMark(text: string): MarkedBody | undefined {
  // Nearly every amount of a long file is this plain, and each is looked at several times.
  const plain = /^(-?)(\d[\d.,]*)$/.exec(text);
  if (plain !== null) {
    const mark = plain[1] === '-' ? 'minus' : 'bare';
    return { mark, body: plain[2] ?? '', currencyCode: undefined, currencySign: undefined };
  }
  let body = plainSpelling(text);
  const signs: AmountMark[] = [];
  const words: AmountMark[] = [];
  const currencies: string[] = [];
  for (let edge = readEdge(body); edge !== undefined; edge = readEdge(body)) {
    if (edge.kind === 'currency') currencies.push(edge.text);
    else (edge.kind === 'sign' ? signs : words).push(edge.mark);
    body = edge.rest;
  }
  if (signs.length > 1 || words.length > 1 || currencies.length > 1 || !/^[\d.,'’ ]*\d[\d.,'’ ]*$/.test(body)) {
    return undefined;
  }
  // `-5.00 DR` says the same twice, `-5.00 CR` says two things.
  const [sign, word] = [signs[0], words[0]];
  if (sign !== undefined && word !== undefined && sign !== word) return undefined;
  const [currency = ''] = currencies;
  const code = currency.toUpperCase();
  return {
    mark: sign ?? word ?? 'bare',
    body,
    currencyCode: isoCodes.has(code) ? code : undefined,
    currencySign: currenciesOfSign(currency) === undefined ? undefined : currency,
  };
}

/** Typographic dashes, spaces and digits as plain ones, and `5,-` as the whole number that it is, not as a minus. */
function plainSpelling(text: string): string {
  const plain = /^[ -~]*$/.test(text) ? text : text.normalize('NFKC').replace(/[\u2010-\u2015\u2212]/g, '-');
  return plain
    .trim()
    .replace(/^'(?=[-+(\d])/, '')
    .replace(/(\d)([.,])-{1,2}(?=\D*$)/, '$1$200');
}

type Edge =
  | { readonly kind: 'sign' | 'word'; readonly mark: AmountMark; readonly rest: string }
  | { readonly kind: 'currency'; readonly text: string; readonly rest: string };

/** What stands at one end of an amount and is no digit; undefined where there is nothing known. */
function readEdge(body: string): Edge | undefined {
  const parenthesised = /^\((.*)\)$/.exec(body)?.[1];
  if (parenthesised !== undefined) return { kind: 'sign', mark: 'minus', rest: parenthesised.trim() };
  const sign = /^([+-])|([+-])$/.exec(body);
  if (sign !== null) {
    const mark = (sign[1] ?? sign[2]) === '-' ? 'minus' : 'plus';
    return { kind: 'sign', mark, rest: body.replace(sign[0], '').trim() };
  }
  const word = /^(cr|dr|db|deb|[cdhs])\.?(?=[\s\d+(-])|(?<=[\d\s)])(cr|dr|db|deb|[cdhs])\.?$/i.exec(body);
  if (word !== null) {
    const mark = /^[ch]/i.test(word[0]) ? 'plus' : 'minus';
    return { kind: 'word', mark, rest: body.replace(word[0], '').trim() };
  }
  // At most three letters, so that a description in the wrong column is not taken for a currency.
  const currency =
    /^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}(?!\p{L})\.?\/?\.?)|(?:\p{L}{0,2}\p{Sc}|(?<!\p{L})\p{L}{1,3}\.?)$/u.exec(body);
  if (currency === null) return undefined;
  return { kind: 'currency', text: currency[0], rest: body.replace(currency[0], '').trim() };
}

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** `"1,183"` → `"1183"`; groups of three (of two or three inside, as in India), one kind of separator, or none. */
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
