import { currenciesOfName, isoCodes } from '../../values/currency-names.js';
import { findUpperCaseCodes, type HeaderCurrency } from '../table/columns.js';
import { headerNamesBalance } from '../table/header-names.js';

/**
 * Returns the currency that the lines above the headers name. A line with the label of a currency has priority: `Currency: USD`, the
 * cells `Währung` and `EUR`, or `Alle Beträge in CHF`. Without such a line, a line that names the account or its balance decides:
 * `Account: 123-456 (USD)`, `Konto CHF` or `Saldo al 31.03.2026: USD 1'554.90`.
 *
 * @param rows the rows above the headers
 * @returns undefined if these rows name no currency, or several
 */
export function findPreambleCurrency(rows: readonly (readonly string[])[]): HeaderCurrency | undefined {
  const labelled = new Set(rows.flatMap(findLabelledCode));
  const codes = labelled.size > 0 ? labelled : new Set(rows.flatMap(findCodesOfAccount));
  return codes.size === 1 ? { code: [...codes][0] as string } : undefined;
}

function findLabelledCode(cells: readonly string[]): readonly string[] {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(': ');
  const value = currencyLabel.exec(text)?.groups?.value ?? amountsIn.exec(text)?.groups?.value;
  if (value === undefined) return [];
  const code = /^\p{L}{3}(?!\p{L})/u.exec(value)?.[0].toUpperCase() ?? '';
  return isoCodes.has(code) ? [code] : [...(currenciesOfName(value) ?? [])];
}

/**
 * Returns the currency codes in a line that names the account or its balance. Returns several codes if the line names several currencies.
 * Returns none if the line is a longer text. At least one code must be in parentheses, next to a number, or directly to the right of the
 * word for the account or the balance. In other places, a code may be a first name, such as `RON` or `BOB`.
 */
function findCodesOfAccount(cells: readonly string[]): readonly string[] {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join('; ');
  const codes = findUpperCaseCodes(text);
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const label = words.slice(0, labelWordsMax).find((word) => accountWord.test(word) || headerNamesBalance(word));
  if (codes.length === 0 || label === undefined || words.length - codes.length > wordsMax) return [];
  const places = ['\\({}\\)', '\\d ?{}(?!\\p{L})', '(?<!\\p{L}){} ?[-−+]? ?\\d', `${label}[:;]? {}(?= *(?:[;:]|$))`];
  const isOfAccount = codes.some((code) =>
    places.some((place) => new RegExp(place.replace('{}', code), 'u').test(text)),
  );
  return isOfAccount ? codes : [];
}

/** The label of an account or a balance is one of the first words of its line: `Alter Kontostand`, `Available account balance`. */
const labelWordsMax = 3;
/** The maximum number of words beside the currency codes. A line with more words is a sentence. */
const wordsMax = 5;
const accountWord = /^(?:\p{L}*konto\p{L}{0,7}|accounts?|compte|cuenta|conta|conto|rekening\p{L}{0,8}|rachun\p{L}+)$/iu;

/** Matches the label of a currency, at the beginning of a line or after another label, and the value behind it. */
const currencyLabel =
  /(?:^|\s)(?:(?:account |statement )?currency|ccy|(?:konto)?währung|devise(?: du compte)?|divisa|moneda(?: de la cuenta)?|moeda|valuta|rekeningvaluta|waluta(?: rachunku)?|měna|valiuta|valūta|валюта(?: счета)?)(?:\s*:+\s*| (?=\p{Lu}{3}$))(?<value>[^:]+)$/iu;
/** Matches a line that names the currency of all amounts, such as `All amounts are in GBP`. */
const amountsIn =
  /^(?:alle |all |tous les |todos los |tutti gli )?(?:beträge|amounts|montants|importes|importi|bedragen|kwoty)(?: are| sind)? (?:in|en|w) (?<value>\p{Lu}{3})[^\p{L}]*$/iu;
