import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { plainCell } from '../table/cells.js';
import { findPendingWord } from '../words/pending-words.js';

/**
 * Finds rows with an asterisk at the beginning or end of a cell, because some banks mark pending rows in this way. If a note in the file
 * says that an asterisk means pending, the asterisk may be in any cell. Without such a note, asterisks count only in the text columns, such
 * as the description, and only if some row has no asterisk in these columns.
 */
export class AsteriskTally {
  readonly #textPositions: ReadonlySet<number>;
  readonly #inTexts = new MarkedRows();
  readonly #inAllCells = new MarkedRows();
  #rowCount = 0;
  #note: string | undefined;

  constructor(textPositions: readonly (number | undefined)[]) {
    this.#textPositions = new Set(textPositions.filter((position) => position !== undefined));
  }

  /** Adds a line that is not a row. It may be the note that says that an asterisk means pending. */
  addNote(cells: readonly string[]): void {
    const text = cells
      .map(plainCell)
      .filter((cell) => cell !== '')
      .join(' ');
    if (this.#note === undefined && text.length <= noteCharactersMax && isNote(text)) this.#note = text;
  }

  add(line: number, cells: readonly string[]): void {
    this.#rowCount += 1;
    if (!cells.some((cell) => cell.includes('*'))) return;
    this.#inAllCells.add(
      line,
      cells.find((cell) => markedCell.test(cell.trim())),
    );
    this.#inTexts.add(
      line,
      cells.find((cell, position) => this.#textPositions.has(position) && isMarkedText(cell.trim())),
    );
  }

  /** Returns a question about the marked rows, unless the balance column agrees with the amounts: the balances then include these rows. */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const note = this.#note;
    const { first, rowCount } = note === undefined ? this.#inTexts : this.#inAllCells;
    if (first === undefined || (note === undefined && rowCount === this.#rowCount)) return undefined;
    if (balance?.kind === 'agrees') return undefined;
    const rows = rowCount === 1 ? 'A row has' : `${rowCount} rows have`;
    const why = note === undefined ? 'which may mean that it is pending' : `and the file says "${note}"`;
    return {
      message: `${rows} an asterisk at the beginning or end, ${why}: line ${first.line}, "${first.text}". The bank may still change or drop pending rows.`,
      remedy: 'Take such rows out of the file. If they are final, use --final-status "*".',
      requiresOption: true,
    };
  }
}

/** The first row with an asterisk, and the number of such rows. */
class MarkedRows {
  first: { readonly line: number; readonly text: string } | undefined;
  rowCount = 0;

  add(line: number, cell: string | undefined): void {
    if (cell === undefined) return;
    this.first ??= { line, text: plainCell(cell) };
    this.rowCount += 1;
  }
}

const markedCell = /^\*|\*$/;
/** Matches one asterisk at the beginning or end. Matches neither `*1234`, which is the number of a card, nor `**VOID**`. */
const markedText = /^\*(?![*\d])|(?<!\*)\*$/;
/**
 * Returns whether an asterisk in a text may mark a pending row. Returns false for `* PENDING * Hotel`: its words already say that the row
 * is pending.
 */
function isMarkedText(text: string): boolean {
  return markedText.test(text) && findPendingWord(text) === undefined;
}

const noteCharactersMax = 200;

function isNote(text: string): boolean {
  return asterisk.test(text) && notBooked.test(text);
}

const asterisk = /(?<!\*)\*(?!\*)|asterisk|sternchen|stern\b|ast[eé]risque|asterisco|gwiazdk|hvězdičk/iu;
const notBooked =
  /pending|not (yet )?(posted|booked|final|settled|cleared)|unposted|unbooked|unsettled|provisional|authori[sz]|vorgemerkt|vormerk|(noch nicht|nicht) (ge|ver)bucht|vorläufig|en attente|non comptabilis|provisoire|pendiente|no contabilizad|provisional|retenci|in attesa|non contabilizzat|in sospeso|provvisori|pendente|não (contabilizad|lançad)|nog niet|in behandeling|gereserveerd|oczekuj|nierozliczon|niezaksięgowan|reserver|ej bokför|ikke bokført|ikke bogført|nezaúčtovan|ожида|не проведен/iu;
