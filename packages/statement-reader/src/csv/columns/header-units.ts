import { StatementError } from '../../statement-error.js';
import { isAmountCell, looksLikeTransaction } from '../table/cells.js';
import { type ColumnPositions, nameColumns } from '../table/columns.js';
import { headerList, headerWords } from '../table/header-names.js';

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
 * Returns an error for a file in which no amount column was found, if the header of a column of numbers names a unit such as cents. The
 * error names this column.
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

/**
 * Refuses a file if a line without a transaction, such as `Amounts in cents`, says that the amounts are in a unit such as cents or
 * thousands.
 * @throws StatementError that names the line and its unit
 */
export function requireMainUnitInLine({ line, cells }: { line: number; cells: readonly string[] }): void {
  const text = cells
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')
    .join(': ');
  const unit = findLineUnit(text);
  if (unit === undefined) return;
  throw new StatementError(
    `Line ${line}, "${text}", may say that the amounts are in another unit ("${unit}"), and not in the main unit of the currency, such as euros or dollars.`,
    'If they are, convert them in a spreadsheet to the main unit of the currency. Then remove this line from the file.',
  );
}

/**
 * Returns the unit that a line names, if it is not the main unit of a currency: `cents` for `Amounts in cents` and `Unit: cents`.
 * @returns undefined if the line names no such unit, or is too long. A line without a word for amounts must be shorter than other lines,
 *   and its unit must be certain (see {@link isCertain}).
 */
export function findLineUnit(text: string): string | undefined {
  if (text.length > lineCharactersMax) return undefined;
  const namesAmounts = amountWords.test(text);
  if (!namesAmounts && text.split(/\s+/).length > wordsMax) return undefined;
  const units = text.split(namesAmounts ? beforeUnit : preposition).map((part, index) => {
    // Each part after the first one follows a word such as "in", or a colon. The unit is the first word of such a part, or follows a
    // currency: `in USD cents`. In `Amounts in euros and cents`, cents are not the unit.
    const words = part.trim().split(/\s+/).slice(0, 2).join(' ');
    return index === 0 ? undefined : findHeaderUnit(`in ${words} `);
  });
  return units.find((unit) => unit !== undefined && (namesAmounts || isCertain(unit)));
}

/** Returns false for a unit such as `1000` or `Mill`, which may also be a number or part of a name, for example in an address. */
function isCertain(unit: string): boolean {
  return /\p{L}/u.test(unit) && !/^(minor|mill|sen|fen|tis|tys|ezer)$/i.test(unit);
}

const lineCharactersMax = 80;
/** The maximum number of words in a line that has no word for amounts, but may name a unit. */
const wordsMax = 5;
const preposition = /(?<!\p{L})(?:in|en|em|i|w|v|в)\s+/iu;
const beforeUnit = /(?<!\p{L})(?:in|en|em|i|w|v|в)\s+|[:;,(=]\s*/iu;
const amountWords =
  /(?<!\p{L})(amounts?|figures|values?|units?|currency|beträge?|betraege|werte?|einheit(en)?|angaben|währung|montants?|unités?|devise|importes?|unidad(es)?|moneda|import[oi]|unità|valores?|unidades?|moeda|bedrag(en)?|eenheid|kwot[ay]|jednostka|belopp?|beløb|částk[ay]|сумм[аы])(?!\p{L})|金額|金额|単位|单位/iu;

function unitError(header: string, unit: string): StatementError {
  return new StatementError(
    `The column "${header.trim()}" has amounts in another unit ("${unit}"), and not in the main unit of the currency, such as euros or dollars.`,
    `Convert the amounts in a spreadsheet to the main unit of the currency, and remove "${unit}" from the header.`,
  );
}

/** Words for a part or a multiple of the main unit of a currency. Words that often mean something else in a header are left out. */
const unitWords: ReadonlySet<string> = new Set(
  headerList(`
    cent; cents; penny; pennies; pence; minor; subunit; subunits; micros; gbx; rappen; centime; centimes; céntimo; céntimos; centavo;
    centavos; cêntimo; cêntimos; centesimo; centesimi; eurocent; eurocents; centen; öre; øre; sentti; senttiä; senttinä; grosz; grosze;
    groszy; groszach; haléř; haléře; haléřů; haléřích; halier; halierov; fillér; kopeck; kopecks; kopek; kopeks; копейка; копейки;
    копеек; копейках; копійки; копійок; paisa; paise; kuruş; sen; fen; 分;
    lakh; lakhs; lac; lacs; crore; crores;
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
