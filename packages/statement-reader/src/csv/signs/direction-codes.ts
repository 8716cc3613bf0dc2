import { StatementError } from '../../statement-error.js';
import type { AmountSign } from '../../values/amounts.js';
import { readStatus } from '../table/cells.js';
import { commonExpenseCodes, commonIncomeCodes } from '../words/common-codes.js';

type SignCounts = Readonly<Record<AmountSign, number>>;

/**
 * Collects the codes of one or two characters in a direction column. Some letters are ambiguous: `D` means debit in a
 * column with `C`, but deposit in a column with `W`. `C` means credit in a column with `D`, but a charge (Spanish `cargo`) in a column with
 * `A` (`abono`). If a column has exactly two codes and both are unknown, both are ambiguous.
 */
export class ShortCodes {
  readonly #knownCodes: DirectionCodes;
  readonly #seen = new Set<string>();
  readonly #signCounts = new Map<string, Record<AmountSign, number>>();

  /** @param knownCodes the codes that options name, or the common codes */
  constructor(knownCodes: DirectionCodes) {
    this.#knownCodes = knownCodes;
  }

  add(text: string, sign: AmountSign | undefined): void {
    // Ignores longer texts, to limit the memory for a column of free text.
    if (text.length === 0 || text.length > 2) return;
    const code = canonicalCode(text);
    if (this.#seen.size < codesMax) this.#seen.add(code);
    if (!this.#seen.has(code) || readDirectionCode(code, this.#knownCodes) !== undefined) return;
    const counts = this.#signCounts.get(code) ?? { minus: 0, plus: 0, none: 0 };
    if (sign !== undefined) counts[sign] += 1;
    this.#signCounts.set(code, counts);
  }

  /**
   * Returns the known codes, and the ambiguous letters whose direction the other letters or the header show. Returns undefined
   * if a letter stays ambiguous, or if the column has exactly two codes and both are unknown.
   */
  resolve(header: string): DirectionCodes | undefined {
    const letters = new Set([...this.#seen].filter((code) => code.length === 1));
    const codes = resolveAmbiguousLetters(letters, { header, codes: this.#knownCodes });
    return codes === undefined || this.#isUnknownPair(codes) ? undefined : codes;
  }

  #isUnknownPair(codes: DirectionCodes): boolean {
    const seen = [...this.#seen];
    return (
      seen.length === 2 && seen.every((code) => /^\p{L}+$/u.test(code) && readDirectionCode(code, codes) === undefined)
    );
  }

  /** Returns how many rows have a minus, a plus or no sign, for each code in `codes` that was unknown when its rows were added. */
  countSigns(codes: DirectionCodes): ReadonlyMap<string, SignCounts> {
    return new Map([...this.#signCounts].filter(([code]) => readDirectionCode(code, codes) !== undefined));
  }

  /** Returns the error for a file in which only ambiguous codes show the direction. */
  ambiguousError(header: string): StatementError {
    const isPair = this.#isUnknownPair(this.#knownCodes);
    const unknown = [...this.#signCounts.keys()].filter((code) => isPair || ambiguousLetters.has(code));
    const codes = unknown.map((code) => code.toUpperCase());
    const [first = ''] = codes;
    const undone = isPair ? codes.find((code) => readStatus(code) === 'discarded') : undefined;
    if (undone !== undefined)
      return undoneError(undone, { header, other: codes.find((code) => code !== undone) ?? '' });
    const flags = `--expense-word ${first} ${isPair ? '' : 'or '}--income-word ${codes.at(-1) ?? first}`;
    return new StatementError(
      `${codes.map((code) => `"${code}"`).join(' and ')} in the column "${header}" may be money out or money in.`,
      isPair
        ? `Use ${flags}, or the other way round. If the column has no directions, use --direction-column "".`
        : `Use ${flags}.`,
      isPair ? { expenseWords: [first], incomeWords: codes.slice(1) } : { expenseWords: codes },
    );
  }
}

/**
 * Returns the error for a file whose column has two unknown codes, one of which is `undone`: a status of payments that did not happen. On a
 * card statement, such a row may also pay back the purchase of another row.
 */
function undoneError(undone: string, { header, other }: { header: string; other: string }): StatementError {
  return new StatementError(
    `Rows with "${undone}" in the column "${header}" may be money in, or payments that did not happen.`,
    `If each of these rows pays back another row of the file, use --expense-word ${other} --income-word ${undone}. If not, take them out of the file.`,
    { expenseWords: [other], incomeWords: [undone] },
  );
}

/**
 * Returns the known codes, and the resolved ambiguous letters of a column. Two letters are resolved by the pair that they
 * form, and a single letter by the header.
 * @param letters the letters of the column in lower case
 * @returns undefined if neither the letters nor the header show the directions
 */
export function resolveAmbiguousLetters(
  letters: ReadonlySet<string>,
  { header, codes }: { header: string; codes: DirectionCodes },
): DirectionCodes | undefined {
  const ambiguous = [...letters].filter((letter) => ambiguousLetters.has(letter));
  if (ambiguous.every((letter) => readDirectionCode(letter, codes) !== undefined)) return codes;
  const name = header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
  const fits = pairs.filter(
    ({ expense, income }) =>
      ambiguous.every((letter) => letter === expense || letter === income) &&
      readDirectionCode(expense, codes) !== 'income' &&
      readDirectionCode(income, codes) !== 'expense',
  );
  const pair =
    fits.find(({ expense, income }) => letters.has(expense) && letters.has(income)) ??
    fits.find(({ names }) => names.test(name));
  if (pair === undefined) return undefined;
  return {
    expense: new Set([...codes.expense, pair.expense]),
    income: new Set([...codes.income, pair.income]),
  };
}

/** The maximum number of stored codes. A direction column has fewer. */
const codesMax = 100;

const ambiguousLetters: ReadonlySet<string> = new Set(['a', 'c', 'd', 'h', 'i', 'k', 'o', 's', 'w']);

/**
 * Pairs of letters and their headers: debit and credit, debit and kredit, out and in, withdrawal and deposit, cargo and
 * abono, Soll and Haben, debe and haber, dare and avere. Swedbank in the Baltic states writes `D` and `K`. An Austrian bank in the test
 * files of bank2ynab writes `O` and `I`.
 */
const pairs: readonly { readonly expense: string; readonly income: string; readonly names: RegExp }[] = [
  { expense: 'd', income: 'c', names: /^(d ?c|c ?d|dr cr|cr dr|cdt ?dbt ?ind)$|deb.*cred|cred.*deb/ },
  { expense: 'd', income: 'k', names: /^(d ?k|k ?d)$|deb.*[kc]red|[kc]red.*deb/ },
  { expense: 'o', income: 'i', names: /^(o ?i|i ?o)$|(^| )out in( |$)|(^| )in out( |$)/ },
  { expense: 'w', income: 'd', names: /^(d ?w|w ?d)$|withdraw.*deposit|deposit.*withdraw/ },
  { expense: 'c', income: 'a', names: /^(c ?a|a ?c)$|cargo.*abono|abono.*cargo/ },
  { expense: 's', income: 'h', names: /^(s ?h|h ?s)( |$)|soll.*haben|haben.*soll/ },
  { expense: 'd', income: 'h', names: /^(d ?h|h ?d)$|debe.*haber|haber.*debe/ },
  { expense: 'd', income: 'a', names: /^(d ?a|a ?d)$|dare.*avere|avere.*dare/ },
];

/** Codes of a direction column, in lower case. */
export interface DirectionCodes {
  readonly expense: ReadonlySet<string>;
  readonly income: ReadonlySet<string>;
}

/**
 * Returns for each direction the requested codes, or the common codes if none are requested. The common codes do not include ambiguous
 * letters, see {@link ShortCodes}.
 *
 * @param expense from `--expense-word`
 * @param income from `--income-word`
 */
export function directionCodes(expense: readonly string[], income: readonly string[]): DirectionCodes {
  return {
    expense: new Set((expense.length > 0 ? expense : commonExpenseCodes).map(canonicalCode)),
    income: new Set((income.length > 0 ? income : commonIncomeCodes).map(canonicalCode)),
  };
}

/** Returns the direction of a code; undefined for an unknown code. */
export function readDirectionCode(text: string, codes: DirectionCodes): 'expense' | 'income' | undefined {
  const canonical = canonicalCode(text);
  if (codes.expense.has(canonical)) return 'expense';
  return codes.income.has(canonical) ? 'income' : undefined;
}

/** Returns the same text for codes that differ only in case, Unicode form, spaces at either end, or a period at the end. */
export function canonicalCode(text: string): string {
  return text.normalize('NFKC').trim().replace(/\.$/, '').toLowerCase();
}
