import { StatementError } from '../../statement-error.js';
import { isoCodes } from '../../values/currency-names.js';
import { currenciesOfSymbol } from '../../values/currency-symbols.js';

/**
 * The header of each column. For example, `date` is the header of the column with the dates. A file has either `amount`, or at least one of
 * `debit` and `credit`.
 */
export interface CsvColumns {
  readonly date: string;
  readonly amount?: string;
  readonly debit?: string;
  readonly credit?: string;
  readonly direction?: string;
  readonly description?: string;
  readonly merchant?: string;
  /**
   * The merchant of an income, if the column `merchant` names the merchant only in expenses. The column `payer` is not one of the
   * columns that identify a row.
   */
  readonly payer?: string;
  readonly category?: string;
  readonly account?: string;
  readonly currency?: string;
  /** The status of each row, which shows whether the transaction is final, is pending, or did not happen. */
  readonly status?: string;
  /** The fee of each row. The fee becomes a separate expense. This column is never guessed. */
  readonly fee?: string;
  /** The id that the bank gave each row. The idempotency key of a row does not depend on its id (decision 0056). */
  readonly id?: string;
}

export type CsvColumnName = keyof CsvColumns;

/**
 * The columns that identify a row. A later import of a file with the same headers uses the columns that the first import used.
 * With other columns, it would record the same rows again.
 */
export type IdentityColumns = Pick<CsvColumns, (typeof identityNames)[number]>;

const identityNames = [
  'date',
  'amount',
  'debit',
  'credit',
  'direction',
  'description',
  'merchant',
  'category',
] as const satisfies readonly CsvColumnName[];

/** Returns the columns that identify a row. */
export function pickIdentity(columns: CsvColumns): IdentityColumns {
  const picked = identityNames.flatMap((name) => (columns[name] === undefined ? [] : [[name, columns[name]]]));
  return Object.fromEntries(picked) as IdentityColumns;
}

/** The position of each column, from 0. */
export type ColumnPositions = Readonly<Partial<Record<CsvColumnName, number>>>;

/**
 * Returns the position of each named column among the headers, ignoring case, spacing and Unicode form. If several
 * columns share the header, the first is used. Any column can also be named by its position, counted from 1, as in `column 3`. A column
 * without a header has only this name.
 * @throws StatementError if a named column is absent; the message lists the existing columns
 */
export function requirePositions(columns: Partial<CsvColumns>, headers: readonly string[]): ColumnPositions {
  const known = nameColumns(headers).map(canonicalHeader);
  const positions: Partial<Record<CsvColumnName, number>> = {};
  for (const [name, header] of Object.entries(columns) as [CsvColumnName, string][]) {
    const wanted = canonicalHeader(header);
    const position = known.includes(wanted) ? known.indexOf(wanted) : findPosition(wanted, headers);
    if (position === undefined) {
      throw new StatementError(
        `The file has no column "${header}" (--${name}-column).`,
        `Its columns are: ${listColumns(headers)}.`,
      );
    }
    positions[name] = position;
  }
  return positions;
}

/** Returns the position, from 0, of a column named like `column 3`; undefined for other names, or if the file has fewer columns. */
function findPosition(wanted: string, headers: readonly string[]): number | undefined {
  const position = Number(/^column (\d{1,6})$/.exec(wanted)?.[1]) - 1;
  return position in headers ? position : undefined;
}

/**
 * Returns the name of each column: its header, or if it has none, its position, such as `column 3`. In headers, line breaks and repeated
 * spaces become one space, because some banks pad their headers with spaces to the width of the column.
 */
export function nameColumns(headers: readonly string[]): readonly string[] {
  return headers.map((header, index) => header.trim().replace(/\s+/g, ' ') || `column ${index + 1}`);
}

/** Returns the names of the columns for a message. Columns without a header are listed only if no column has a header. */
export function listColumns(headers: readonly string[]): string {
  const names = nameColumns(headers);
  const named = names.filter((_, index) => headers[index]?.trim() !== '');
  return (named.length > 0 ? named : names).join(', ');
}

/** Normalizes a header. The result is the same for headers that differ only in case, in the number of spaces or in Unicode form. */
export function canonicalHeader(header: string): string {
  return header.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** The currency that a header names: by its ISO code, or by a symbol that several currencies may share. */
export type HeaderCurrency =
  | { readonly code: string; readonly sign?: undefined }
  | { readonly sign: string; readonly code?: undefined };

/**
 * Returns the currency that the header of an amount column names. Examples are EUR for `Betrag (EUR)`, `Montant en EUR`,
 * `amount_eur` and `EUR`, CAD for `CAD$`, and the symbol `£` for `Amount (£)`.
 *
 * @returns undefined if the header names no currency, or several codes
 */
export function findHeaderCurrency(header: string): HeaderCurrency | undefined {
  const text = header.normalize('NFKC');
  const codes = new Set([...findUpperCaseCodes(text), ...findLastCode(text)]);
  if (codes.size > 0) return codes.size === 1 ? { code: [...codes][0] as string } : undefined;
  const sign = findSymbol(text);
  return sign === undefined ? undefined : { sign };
}

/**
 * Returns the currency codes in capitals anywhere in the text, except codes that are also words: `ALL DEBITS` does not name the currency
 * of Albania.
 */
export function findUpperCaseCodes(text: string): readonly string[] {
  const words = text.match(/(?<!\p{L})\p{Lu}{3}(?!\p{L})/gu) ?? [];
  return words.filter((word) => isoCodes.has(word) && !wordsInCapitals.has(word));
}

/**
 * Returns the currency code at the end of the text, in upper or lower case, or EUR for "euro" and "euros": `amount_usd`, `Betrag (ALL)`,
 * `solde en euros`.
 */
function findLastCode(text: string): readonly string[] {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  const code = last.toUpperCase();
  if (code === 'EURO' || code === 'EUROS') return ['EUR'];
  const isWord = wordsInCapitals.has(code) && (words.length === 1 || last !== code);
  return isoCodes.has(code) && !isWord ? [code] : [];
}

/** Returns the symbol of a currency anywhere in the text, such as `R$`, or its abbreviation at the end, such as `Kč`. */
function findSymbol(text: string): string | undefined {
  const symbol = /(?<!\p{L})\p{L}{0,2}\p{Sc}/u.exec(text)?.[0];
  if (symbol !== undefined) return symbol;
  const last = /[\p{P}\s]([\p{L}/]{1,4}\.?)\)?$/u.exec(text)?.[1];
  return last !== undefined && currenciesOfSymbol(last) !== undefined ? last : undefined;
}

/** Codes that are also words of headers. They are read as codes only if they are in capitals and the last of several words. */
const wordsInCapitals: ReadonlySet<string> = new Set(['ALL', 'TOP', 'TRY', 'CUP', 'PEN', 'SOS', 'MOP', 'GEL', 'LAK']);
