import type { ColumnPositions } from './csv-columns.js';
import { isPendingWord } from './status-words.js';

/**
 * What a record below the headers is. A `row` is, or may be, a transaction, and something is told about each; a
 * `continuation` has only more text of the row above it; an `aside` can be no transaction: a blank record, a total, a
 * balance, a sentence, the headers once more.
 *
 * The question is asked without a date format, so that the survey, which has yet to find it, and the reading give the
 * same answer. In doubt a record is a `row`: one that is then not readable fails by its line, which is better than
 * money that nobody hears of.
 */
export type RecordKind = 'row' | 'continuation' | 'aside' | 'blank';

/** Makes the judge of one file's records. */
export function recordJudge(file: {
  readonly headers: readonly string[];
  readonly positions: ColumnPositions;
}): (cells: readonly string[]) => RecordKind {
  const { headers, positions } = file;
  const headerLine = headers.map((header) => header.trim()).join('\n');
  const amountPositions = [positions.amount, positions.debit, positions.credit].filter((place) => place !== undefined);
  const textPositions = [positions.description, positions.merchant].filter((place) => place !== undefined);
  const datePosition = positions.date ?? -1;
  return (cells) => {
    const dateCell = cells[datePosition]?.trim() ?? '';
    const hasAmount = amountPositions.some((place) => /\d/.test(cells[place] ?? ''));
    // Nearly every record ends here.
    if (/\d/.test(dateCell) && hasAmount) return 'row';
    const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    const [first] = filled;
    if (first === undefined) return 'blank';
    if (cells.map((cell) => cell.trim()).join('\n') === headerLine) return 'aside';
    if (isPendingWord(dateCell)) return 'row';
    const namesBalance = filled.some((cell) => balanceWords.test(cell));
    if (/\d/.test(dateCell)) return namesBalance && filled.length > 1 && !hasAmount ? 'aside' : judgeDated(filled);
    if (totalWords.test(first) || balanceWords.test(first)) return 'aside';
    if (hasAmount) return 'row';
    const isText = textPositions.some((place) => (cells[place]?.trim() ?? '') !== '');
    if (dateCell === '' && isText && filled.length <= textPositions.length) return 'continuation';
    return filled.some(looksLikeDate) ? 'row' : 'aside';
  };
}

/** Whether the whole of a description is the name of a balance: such a row carries an amount and moves none. */
export function isBalanceText(text: string): boolean {
  return balanceWords.test(text.trim());
}

/** A sentence with a year in it is a note, whereas a dated record of several cells lacks its amount and has to be told. */
function judgeDated(filled: readonly string[]): RecordKind {
  return filled.length > 1 || looksLikeDate(filled[0] ?? '') ? 'row' : 'aside';
}

/** Whether a whole cell is a date, in whatever format. */
function looksLikeDate(cell: string): boolean {
  return /^(\d{1,4}[./-]\s?(\d{1,2}|\p{L}{3,})[./-]\s?\d{2,4}\.?|(19|20)\d{6}|\d{1,2}\.? \p{L}{3,}\.? \d{4})(?!\d)/u.test(
    cell,
  );
}

/** How lines of sums begin, in the languages of banks. */
const totalWords =
  /^(grand |sub-?)?(totals?|sum|summe|gesamt(summe|betrag)?|totale?s?|totaal|suma|razem|celkem|összesen|yhteensä|summa|i alt|итого|всего|合計|合计|toplam)(?!\p{L})/iu;

/** Names of balances; whole cells only, because "Balance Ltd" is a merchant. */
const balanceWords =
  /^((opening|closing|starting|ending|beginning|start|end|previous|available|current|account|new|old|statement) )?balance( (brought|carried) forward| b\/f| c\/f| forward)?( (as of|at|on|per) .{0,14}| [\d./-]{6,10})?:?$|^(brought|carried) forward:?$|^(anfangs|end|alter |neuer |aktueller )?(saldo|konto?stand)( vom| am| per)?.{0,14}$|^saldo (anterior|inicial|final|actual|disponible|iniziale|finale|contabile|początkowe|końcowe|do dia|atual|poprzednie|kapanış)(?!\p{L}).{0,14}$|^(ancien |nouveau )?solde( initial| final| précédent| au)?(?!\p{L}).{0,14}$|^(begin|eind)saldo(?!\p{L}).{0,14}$|^(входящий|исходящий) (остаток|баланс)(?!\p{L})|^(nyitó|záró) ?egyenleg$|^(počáteční|konečný) zůstatek$|^(inn?gående|utgående) saldo$|^(primo|ultimo)saldo$|^saldo(vortrag|übertrag)$|^report (à nouveau|de solde|du solde)$|^(前期|前月)?繰越/iu;
