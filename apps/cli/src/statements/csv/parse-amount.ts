export type DecimalSeparator = '.' | ',';

/** How an amount is marked: `-`, parentheses or `DR`; `+` or `CR`; or not at all. */
export type AmountMark = 'minus' | 'plus' | 'bare';

export interface ParsedAmount {
  readonly mark: AmountMark;
  /** Unsigned, whole units, `.` as separator, no leading or trailing zeros: `"1183.2"`; `"0"` for zero. */
  readonly amountDecimal: string;
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
  return { mark: marked.mark, amountDecimal: decimals === '' ? wholeDigits : `${wholeDigits}.${decimals}` };
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

/** Takes signs, currency signs and currency codes off; what is left has digits, separators and spaces only. */
function splitMark(text: string): { mark: AmountMark; body: string } | undefined {
  let body = text
    .replace(/[\u00a0\u2007\u2009\u202f]/g, ' ')
    .replace(/[\u2212\u2013]/g, '-')
    .trim();
  const marks: AmountMark[] = [];
  const parenthesised = /^\((.*)\)$/.exec(body);
  if (parenthesised?.[1] !== undefined) {
    marks.push('minus');
    body = parenthesised[1];
  }
  const suffix = /(?<=[\d\s])(CR|DR)\.?$/i.exec(body);
  if (suffix?.[1] !== undefined) {
    marks.push(suffix[1].toUpperCase() === 'CR' ? 'plus' : 'minus');
    body = body.slice(0, suffix.index).trim();
  }
  let currencies = 0;
  for (let edge = signOrCurrency(body); edge !== undefined; edge = signOrCurrency(body)) {
    if (edge.mark === undefined) currencies += 1;
    else marks.push(edge.mark);
    body = edge.rest;
  }
  if (marks.length > 1 || currencies > 1 || !/^[\d.,'’ ]*\d[\d.,'’ ]*$/.test(body)) return undefined;
  return { mark: marks[0] ?? 'bare', body };
}

function signOrCurrency(body: string): { mark?: AmountMark; rest: string } | undefined {
  const sign = /^([+-])\s*|\s*([+-])$/.exec(body);
  if (sign !== null) {
    return { mark: (sign[1] ?? sign[2]) === '-' ? 'minus' : 'plus', rest: body.replace(sign[0], '').trim() };
  }
  // At most three letters, so that a description in the wrong column is not taken for a currency.
  const currency = /^(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}(?!\p{L})\.?)\s*|\s*(?:\p{Sc}|(?<!\p{L})\p{L}{1,3}\.?)$/u.exec(body);
  return currency === null ? undefined : { rest: body.replace(currency[0], '').trim() };
}

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
