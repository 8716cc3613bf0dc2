import type { Question } from '../../statement.js';
import { balanceIncludes, type InterpretationFacts } from '../findings/interpretation-facts.js';
import { findPendingTitle, findPendingWord } from '../words/pending-words.js';

/** Finds rows that are pending according to their text or a title above them, because some files have no status column. */
export class PendingTexts {
  #rowCount = 0;
  #first: PendingText | undefined;
  /** The title above the next rows, if it says that these rows are pending. */
  #title: { readonly text: string; readonly word: string } | undefined;

  /** Adds a line of text that is above or between the rows. It may be the title of the rows below it. */
  addTitle(text: string): void {
    const title = text.trim();
    if (title === '') return;
    const word = findPendingTitle(title);
    this.#title = word === undefined ? undefined : { text: title, word };
  }

  /** Adds a row. @param final the statuses that the user declared final */
  add(line: number, texts: readonly string[], final: ReadonlySet<string>): void {
    if (this.#title !== undefined && !final.has(this.#title.word)) {
      this.#rowCount += 1;
      this.#first ??= { line, ...this.#title, isTitle: true };
      return;
    }
    for (const text of texts) {
      const word = findPendingWord(text);
      if (word === undefined || final.has(word)) continue;
      this.#rowCount += 1;
      this.#first ??= { line, text, word, isTitle: false };
      return;
    }
  }

  /** Whether some row is pending according to its text or a title above it. */
  get hasFound(): boolean {
    return this.#first !== undefined;
  }

  /** Returns a question about these rows. If the balances include the first of these rows, all of them are final. */
  findQuestion(facts: Pick<InterpretationFacts, 'balance' | 'newestWithoutBalance'>): Question | undefined {
    if (this.#first === undefined || balanceIncludes(this.#first.line, facts)) return undefined;
    const { line, text, isTitle, word } = this.#first;
    const rowCount = this.#rowCount;
    const what =
      rowCount === 1 ? 'The text of a row says that it is' : `The texts of ${rowCount} rows say that they are`;
    const titled = `A title says that ${rowCount === 1 ? 'a row is' : `${rowCount} rows are`}`;
    return {
      message: `${isTitle ? titled : what} pending: line ${line}, ${isTitle ? 'below ' : ''}"${text}". The bank may still change or drop such rows.`,
      remedy: `Take them out of the file. If they are final, use --final-status "${word}".`,
      requiresOption: true,
    };
  }
}

/** A row that is pending according to its text or a title above it. */
interface PendingText {
  readonly line: number;
  readonly text: string;
  /** Whether `text` is a title above the row, and not a text of the row. */
  readonly isTitle: boolean;
  /** The word that says that the row is pending, in the form of `--final-status`. */
  readonly word: string;
}
