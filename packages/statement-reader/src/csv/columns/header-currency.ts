import { currenciesOfSign } from '../../values/currency-signs.js';

/** The currency that a header names: by its ISO code, or by a sign that several currencies may share. */
export type HeaderCurrency =
  | { readonly code: string; readonly sign?: undefined }
  | { readonly sign: string; readonly code?: undefined };

/**
 * Returns the currency that the header of an amount names: EUR for `Betrag (EUR)`, `Montant en EUR`, `amount_eur` and
 * `EUR`, CAD for `CAD$`, the sign `£` for `Amount (£)`.
 *
 * @returns undefined if the header names no currency, or several
 */
export function findHeaderCurrency(header: string): HeaderCurrency | undefined {
  const text = header.normalize('NFKC');
  const codes = new Set([...findUpperCaseCodes(text), ...findLastCode(text)]);
  if (codes.size > 0) return codes.size === 1 ? { code: [...codes][0] as string } : undefined;
  const sign = findSign(text);
  return sign === undefined ? undefined : { sign };
}

/**
 * Returns the currency that a line above the headers names: `Currency: USD`, or `Währung` beside `EUR`.
 * @param rows those above the headers
 * @returns undefined if none does, or several currencies are named
 */
export function findPreambleCurrency(rows: readonly (readonly string[])[]): HeaderCurrency | undefined {
  const codes = new Set(
    rows.flatMap((cells) => {
      const [name = '', code = ''] = cells
        .flatMap((cell) => cell.split(':'))
        .map((cell) => cell.trim())
        .filter((cell) => cell !== '');
      return currencyNames.has(name.toLowerCase()) && isoCodes.has(code) ? [code] : [];
    }),
  );
  return codes.size === 1 ? { code: [...codes][0] as string } : undefined;
}

const currencyNames: ReadonlySet<string> = new Set(
  'currency,account currency,währung,kontowährung,devise,moneda,moeda,valuta,waluta,měna,valiuta,valūta,валюта,валюта счета'.split(
    ',',
  ),
);

/** Codes in capitals anywhere, if they are no English word: `ALL DEBITS` is not in the currency of Albania. */
function findUpperCaseCodes(text: string): readonly string[] {
  const words = text.match(/(?<!\p{L})\p{Lu}{3}(?!\p{L})/gu) ?? [];
  return words.filter((word) => isoCodes.has(word) && !wordsInCapitals.has(word));
}

/** The code at the end in any case, with the spelled-out euro: `amount_usd`, `Betrag (ALL)`, `solde en euros`. */
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

function findSign(text: string): string | undefined {
  const symbol = /(?<!\p{L})\p{L}{0,2}\p{Sc}/u.exec(text)?.[0];
  if (symbol !== undefined) return symbol;
  const last = /[\p{P}\s]([\p{L}/]{1,4}\.?)\)?$/u.exec(text)?.[1];
  return last !== undefined && currenciesOfSign(last) !== undefined ? last : undefined;
}

const isoCodes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Codes that are also words of headers. They count only at the end of a header. */
const wordsInCapitals: ReadonlySet<string> = new Set(['ALL', 'TOP', 'TRY', 'CUP', 'PEN', 'SOS', 'MOP', 'GEL', 'LAK']);
