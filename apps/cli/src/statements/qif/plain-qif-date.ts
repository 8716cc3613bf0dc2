/**
 * A date of QIF in a spelling that says its year in full and has no spaces: `1/ 2'19` is `1/2/2019`, `12.31.99` is
 * `12.31.1999`. Quicken writes years from 2000 on with an apostrophe, others do not; so two digits without one are
 * 1970–2069, as in every statement. What is not three numbers stays as it is.
 */
export function plainQifDate(text: string): string {
  const parts = /^(\d{1,2})\s*([/.-])\s*(\d{1,2})\s*(['/.-])\s*(\d{1,4})$/.exec(text.trim());
  if (parts === null) return text.trim();
  const [, first, separator, second, mark, year = ''] = parts;
  return [first, second, fullYear(year, mark === "'")].join(separator);
}

function fullYear(text: string, isAfter2000: boolean): string {
  if (text.length > 2) return text;
  const year = Number(text);
  return String((isAfter2000 || year < 70 ? 2000 : 1900) + year);
}

/** A date format asked for with a flag, as the dates are spelled here: `D/M'YY` is `D/M/YYYY`. */
export function plainQifDateFormat(format: string): string {
  const separator = /[/.-]/.exec(format)?.[0] ?? '/';
  return format.replaceAll("'", separator).replace(/(?<!y)yy(?!y)/i, 'YYYY');
}
