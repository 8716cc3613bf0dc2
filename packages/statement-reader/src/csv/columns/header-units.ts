import { StatementError } from '../../statement-error.js';
import { isAmountCell, looksLikeTransaction } from '../rows/cells.js';
import { type ColumnPositions, nameColumns } from './columns.js';
import { headerWords, normalised } from './header-names.js';

/**
 * Returns the unit that the header of an amount column names, if it is not the main unit of a currency: `cents` for `Amount (cents)`,
 * `Tsd` for `Betrag (Tsd. EUR)`.
 * @returns undefined if the header names no such unit
 */
export function findHeaderUnit(header: string): string | undefined {
  const text = header.normalize('NFKC');
  const abbreviation = abbreviations.exec(text)?.[0];
  if (abbreviation !== undefined) return abbreviation;
  const words = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.find((word) => unitWords.has(headerWords(word)));
}

/**
 * Refuses a column of amounts whose header names a unit such as cents or thousands.
 * @param used the positions of the used columns
 * @throws StatementError that names the column and its unit
 */
export function requireMainUnit(headers: readonly string[], used: ColumnPositions): void {
  for (const position of [used.amount, used.debit, used.credit, used.fee]) {
    const unit = findHeaderUnit(headers[position ?? -1] ?? '');
    if (position !== undefined && unit !== undefined) throw unitError(nameColumns(headers)[position] ?? '', unit);
  }
}

/**
 * Returns the error for a file in which no column is known to have the amounts, if a column of numbers has a header with a unit.
 * @returns undefined if there is no such column
 */
export function findUnitError(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
): StatementError | undefined {
  const transactions = rows.filter(looksLikeTransaction);
  for (const [position, header] of headers.entries()) {
    const unit = findHeaderUnit(header);
    if (unit !== undefined && transactions.some((cells) => isAmountCell(cells[position] ?? '')))
      return unitError(header, unit);
  }
  return undefined;
}

function unitError(header: string, unit: string): StatementError {
  return new StatementError(
    `The column "${header.trim()}" has amounts in another unit ("${unit}"), and not in the main unit of the currency, such as euros or dollars.`,
    `Convert the amounts in a spreadsheet to the main unit of the currency, and remove "${unit}" from the header.`,
  );
}

/** Words for a part or a multiple of the main unit of a currency. Words that often mean something else in a header are left out. */
const unitWords: ReadonlySet<string> = new Set(
  normalised(`
    cent; cents; penny; pennies; pence; minor; subunit; subunits; micros; gbx; rappen; centime; centimes; céntimo; céntimos; centavo;
    centavos; cêntimo; cêntimos; centesimo; centesimi; eurocent; eurocents; centen; öre; øre; sentti; senttiä; senttinä; grosz; grosze;
    groszy; groszach; haléř; haléře; haléřů; haléřích; halier; halierov; fillér; kopeck; kopecks; kopek; kopeks; копейка; копейки;
    копеек; копейках; копійки; копійок; paisa; paise; kuruş; sen; fen; 分;
    thousand; thousands; tsd; tausend; tausende; milliers; migliaia; milhares; duizend; duizenden; tusen; tusind; tuhat; tys; tysiące;
    tisíc; tisíce; tis; ezer; тыс; тысяч; million; millions; mio; mill; mln; millionen; millones; milioni; milhões; miljoen; miljoenen;
    miljoner; miljoonaa; млн; 千円; 百万円; 万円; 千元; 万元; 천원; 만원; 백만원`),
);

/**
 * Matches other names of units: `k€`, `TEUR`, `£'000`, `in 1000 EUR`, `x100`, `miles de euros`, and `p` or `ct` in parentheses or after
 * "in". `GBp` and `ZAc` are pence and South African cents.
 */
const abbreviations = new RegExp(
  [
    '(?<![\\p{L}\\p{N}])(?:[kK] ?(?:EUR|CHF|USD|GBP|[€$£])|[tTmM] ?(?:EUR|CHF|€)|GBp|ZAc|¢)(?!\\p{L})',
    '(?<=[([] ?|\\bin[ _])(?:cts?|p)(?=\\.?[)\\]]?$)',
    "(?:(?<=[([\\p{Sc}] ?|\\bin ?)|['’])(?:1[.,' ]?)?000['’]?s?(?!\\d)",
    '(?<![\\p{L}\\p{N}])[x×] ?10+(?!\\d)',
    '[mM]iles(?= de )',
  ].join('|'),
  'u',
);
