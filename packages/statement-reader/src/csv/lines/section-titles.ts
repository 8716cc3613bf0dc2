import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { canonicalStatus, plainCell } from '../table/cells.js';
import type { RowKind } from './row-kind.js';

/** A line that may be the title of the rows below it. */
interface SectionTitle {
  readonly line: number;
  readonly text: string;
}

/**
 * Finds lines below the headers that may be the titles of the rows below them. A title may mean that these rows are pending, or that they
 * belong to another account. A title is a single cell, or a label such as `Account` followed by a cell with a value. It is at the beginning
 * of the line or in the date column. Titles such as `Booked transactions`, which mean that the rows are booked, are left out.
 */
export class SectionTitles {
  readonly #datePosition: number;
  readonly #declared: ReadonlySet<string>;
  /** The titles since the last row. They count only if another row follows. */
  #waiting: SectionTitle[] = [];
  readonly #found: SectionTitle[] = [];

  /** @param options.declared the statuses that the user declared final; a title that equals or contains such a status is left out */
  constructor({ datePosition, declared }: { datePosition: number; declared: ReadonlySet<string> }) {
    this.#datePosition = datePosition;
    this.#declared = declared;
  }

  add(line: number, cells: readonly string[], kind: RowKind): void {
    if (kind === 'row') {
      this.#found.push(...this.#waiting.slice(0, titlesMax + 1 - this.#found.length));
      this.#waiting = [];
    } else if (kind === 'note' && this.#waiting.length <= titlesMax) {
      const text = this.#titleOf(cells);
      if (text !== undefined && !this.#isDeclared(text)) this.#waiting.push({ line, text });
    }
  }

  /**
   * Returns a question about the titles. There is no question if there are more than ten, because such lines are probably details of the
   * rows above them. There is also no question if the balance column agrees with the amounts: the balances prove that all rows are booked
   * and belong to one account.
   */
  findQuestion({ balance }: Pick<InterpretationFacts, 'balance'>): Question | undefined {
    const found = this.#found;
    if (found.length === 0 || found.length > titlesMax || balance?.kind === 'agrees') return undefined;
    const titles = found.map(({ line, text }) => `line ${line}, "${text}"`).join('; ');
    const flags = found.map(({ text }) => `--final-status "${text}"`).join(' ');
    return {
      message: `A title may divide the rows: ${titles}. The rows below it may be pending, or of another account.`,
      remedy: `Take such rows out of the file. If all rows are booked and of one account, use ${flags}.`,
      requiresOption: true,
    };
  }

  #isDeclared(text: string): boolean {
    const title = canonicalStatus(text);
    return this.#declared.has(title) || title.split(/\s+/).some((word) => this.#declared.has(word));
  }

  #titleOf(cells: readonly string[]): string | undefined {
    const position = cells.findIndex((cell) => cell.trim() !== '');
    if (position !== 0 && position !== this.#datePosition) return undefined;
    const filled = cells.map(plainCell).filter((cell) => cell !== '');
    const isTitleOfTwo = filled.length === 2 && labels.test(filled[0] ?? '');
    if (filled.length !== 1 && !isTitleOfTwo) return undefined;
    const text = filled.join(' ');
    const isTitle = text.endsWith(':') || (text.split(/\s+/).length <= titleWordsMax && !text.endsWith('.'));
    if (!isTitle || text.length > titleCharactersMax || !/\p{L}/u.test(text)) return undefined;
    return bookedTitle.test(text) ? undefined : text;
  }
}

/** Matches the label in a title of two cells: a word for an account or a currency, or a text that ends with a colon. */
const labels =
  /^(account|konto|compte|cuenta|conta|rekening|iban|currency|währung|devise|moneda|valuta|waluta)(?!\p{L})|:$/iu;
const titlesMax = 10;
const titleCharactersMax = 60;
/** The maximum number of words of a title. A line with more words is a sentence, unless it ends with a colon. */
const titleWordsMax = 5;

/** Matches the titles of booked rows. A word such as "Posted" must be at the beginning, so "Not yet posted" does not match. */
const bookedTitle =
  /^\W{0,3}(posted|booked|cleared|completed|settled|gebucht|verbucht|movimientos (contabilizados|facturados)|operaciones contabilizadas|movimenti contabilizzati|opérations (passées|comptabilisées)|geboekt|bokförd|bokført|zaksięgowane)/iu;
