import { UsageError } from '../../errors.js';
import { canonicalWord, type DirectionWords, readDirectionWord } from './direction-words.js';
import type { AmountMark } from './parse-amount.js';

type LetterMarks = Readonly<Record<AmountMark, number>>;

/**
 * Watches a direction column for letters that say nothing alone: `D` is a debit beside `C` and a deposit beside `W`, `C`
 * is a credit beside `D` and a cargo beside `A`.
 */
export class SideLetters {
  readonly #words: DirectionWords;
  readonly #seen = new Set<string>();
  readonly #marks = new Map<string, Record<AmountMark, number>>();

  /** @param words what flags and common words explain already */
  constructor(words: DirectionWords) {
    this.#words = words;
  }

  see(text: string, mark: AmountMark | undefined): void {
    // Only letters are kept: a column of free text must not fill the memory.
    if (text.length === 0 || text.length > 2) return;
    const letter = canonicalWord(text);
    if (letter.length !== 1) return;
    this.#seen.add(letter);
    if (!unclearLetters.has(letter) || readDirectionWord(letter, this.#words) !== undefined) return;
    const marks = this.#marks.get(letter) ?? { minus: 0, plus: 0, bare: 0 };
    if (mark !== undefined) marks[mark] += 1;
    this.#marks.set(letter, marks);
  }

  /** The words with those letters that their partners or the header explain; undefined where a letter stays unclear. */
  explain(header: string): DirectionWords | undefined {
    return explainLetters(this.#seen, { header, words: this.#words });
  }

  /** How the amounts beside letters are marked that nothing but their partners could explain. */
  get marks(): ReadonlyMap<string, LetterMarks> {
    return this.#marks;
  }

  /** @returns the error for a file whose side only these letters could tell */
  unclear(header: string): UsageError {
    const letters = [...this.#marks.keys()].map((letter) => letter.toUpperCase());
    const [first = ''] = letters;
    return new UsageError(
      `${letters.map((letter) => `"${letter}"`).join(' and ')} in the column "${header}" may be money out or money in.`,
      `Say which with --expense-word ${first} or --income-word ${letters.at(-1) ?? first}.`,
    );
  }
}

/**
 * The words of a column with its letters in them: by the pair that they are, or a single one by the header.
 * @param seen the letters of the column, lower case
 * @returns undefined where they are no pair and the header says nothing
 */
export function explainLetters(
  seen: ReadonlySet<string>,
  { header, words }: { header: string; words: DirectionWords },
): DirectionWords | undefined {
  const unclear = [...seen].filter((letter) => unclearLetters.has(letter));
  if (unclear.every((letter) => readDirectionWord(letter, words) !== undefined)) return words;
  const name = header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  const fits = pairs.filter(
    ({ expense, income }) =>
      unclear.every((letter) => letter === expense || letter === income) &&
      readDirectionWord(expense, words) !== 'income' &&
      readDirectionWord(income, words) !== 'expense',
  );
  const pair =
    fits.find(({ expense, income }) => seen.has(expense) && seen.has(income)) ??
    fits.find(({ names }) => names.test(name));
  if (pair === undefined) return undefined;
  return {
    expense: new Set([...words.expense, pair.expense]),
    income: new Set([...words.income, pair.income]),
  };
}

const unclearLetters: ReadonlySet<string> = new Set(['a', 'c', 'd', 'w']);

/** Debit and credit, withdrawal and deposit, cargo and abono, debe and haber, dare and avere; and the headers of each. */
const pairs: readonly { readonly expense: string; readonly income: string; readonly names: RegExp }[] = [
  { expense: 'd', income: 'c', names: /^(d ?c|c ?d|dr cr|cr dr|cdt ?dbt ?ind)$|deb.*cred|cred.*deb/ },
  { expense: 'w', income: 'd', names: /^(d ?w|w ?d)$|withdraw.*deposit|deposit.*withdraw/ },
  { expense: 'c', income: 'a', names: /^(c ?a|a ?c)$|cargo.*abono|abono.*cargo/ },
  { expense: 'd', income: 'h', names: /^(d ?h|h ?d)$|debe.*haber|haber.*debe/ },
  { expense: 'd', income: 'a', names: /^(d ?a|a ?d)$|dare.*avere|avere.*dare/ },
];
