import type { Doubt } from '../statement-format.js';
import type { CsvPlan } from './csv-plan.js';
import { canonicalStatus, readStatus, type StatusKind } from './status-words.js';

/** Watches a status column for words that nobody has explained, and for those that say that it is one. */
export class StatusSurvey {
  readonly #saidFinal: ReadonlySet<string>;
  readonly #unknown = new Map<string, string>();
  #hasKnown = false;

  /** @param saidFinal words that a person has called final */
  constructor(saidFinal: readonly string[]) {
    this.#saidFinal = new Set(saidFinal.map(canonicalStatus));
  }

  /** @returns what the word says */
  see(text: string): StatusKind {
    const kind = readStatus(text, this.#saidFinal);
    if (kind !== 'unknown') this.#hasKnown ||= text !== '';
    else if (this.#unknown.size < unknownMax) this.#unknown.set(canonicalStatus(text), text);
    return kind;
  }

  /** What has been seen; of very many unknown words some, because a column of free text must not fill the memory. */
  get told(): Pick<CsvPlan, 'unknownStatuses' | 'hasKnownStatuses' | 'finalStatuses'> {
    return {
      unknownStatuses: [...this.#unknown.values()],
      hasKnownStatuses: this.#hasKnown,
      finalStatuses: this.#saidFinal,
    };
  }
}

const unknownMax = 20;

/** What has to be said of words of the status that nobody has explained: one line among many is no answer. */
export function doubtStatuses({ columns, unknownStatuses }: CsvPlan): Doubt | undefined {
  if (unknownStatuses.length === 0) return undefined;
  const words = unknownStatuses.map((word) => `"${word}"`);
  const flags = words.map((word) => `--final-status ${word}`).join(' ');
  const what = words.length === 1 ? 'it is final' : 'they are final';
  return {
    message: `In the column "${columns.status ?? ''}" nobody has explained ${words.join(', ')}: such a row may be pending, or not have happened.`,
    remedy: `Say ${flags} if ${what}, or take such rows out of the file.`,
    mustBeSaid: true,
  };
}
