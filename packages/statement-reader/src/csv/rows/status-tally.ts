import type { CsvOptions } from '../../options.js';
import { canonicalStatus, type DeclaredStatuses, readStatus, type StatusKind } from './cells.js';

/** Collects the unknown statuses of a file, and some facts about its other statuses. */
export class StatusTally {
  readonly declared: DeclaredStatuses;
  readonly #unknown = new Map<string, string>();
  #hasKnown = false;
  #hasNotFinal = false;

  constructor({ finalStatuses = [], skippedStatuses = [] }: Pick<CsvOptions, 'finalStatuses' | 'skippedStatuses'>) {
    this.declared = {
      final: new Set(finalStatuses.map(canonicalStatus)),
      skipped: new Set(skippedStatuses.map(canonicalStatus)),
    };
  }

  add(text: string, isPending: boolean): StatusKind {
    const status = readStatus(text, this.declared);
    const kind = isPending ? 'pending' : status;
    if (kind !== 'final' && kind !== 'unknown') this.#hasNotFinal = true;
    if (status !== 'unknown') this.#hasKnown ||= text !== '';
    else if (!isPending && this.#unknown.size < unknownStatusesMax) this.#unknown.set(canonicalStatus(text), text);
    return kind;
  }

  get unknown(): readonly string[] {
    return [...this.#unknown.values()];
  }

  /** Whether any row has a pending flag, or a status that is neither final nor unknown. */
  get hasNotFinal(): boolean {
    return this.#hasNotFinal;
  }

  /** Whether any cell has a status that the reader recognizes or whose meaning the user declared. */
  get hasKnown(): boolean {
    return this.#hasKnown;
  }
}

/** The maximum number of unknown statuses that are stored. A column with so many unknown statuses probably contains free text. */
export const unknownStatusesMax = 20;
