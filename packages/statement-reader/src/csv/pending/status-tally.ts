import type { CsvOptions } from '../../options.js';
import type { Question } from '../../statement.js';
import type { InterpretationFacts } from '../findings/interpretation-facts.js';
import { canonicalStatus, type DeclaredStatuses, readStatus, type StatusKind } from '../table/cells.js';
import { headerWords } from '../table/header-names.js';

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

  /**
   * Returns a question about unknown statuses. To answer the question, the user must set an option: `--yes` is not enough, because a user
   * may overlook the list of these statuses. If the status column was guessed and has no known status, there is a question only if the
   * column seems to contain statuses: it has several different texts, but not as many as a column of free text, and its header is not
   * "Info".
   */
  findQuestion({ roles, guessed }: Pick<InterpretationFacts, 'roles' | 'guessed'>): Question | undefined {
    if (this.#unknown.size === 0) return undefined;
    const isUnproven = guessed.has('status') && !this.#hasKnown;
    const seemsToBeStatus = this.#unknown.size > 1 && this.#unknown.size < unknownStatusesMax;
    if (isUnproven && (!seemsToBeStatus || headerWords(roles.status ?? '') === 'info')) return undefined;
    const words = this.unknown.map((status) => `"${status}"`);
    const [first] = words;
    const what =
      words.length === 1
        ? `Use --final-status ${first} if it is final, or --skip-status ${first} to leave out its rows.`
        : 'Use --final-status WORD for each of these words that is final, and --skip-status WORD for each other word, to leave out its rows.';
    return {
      message: `The meaning of ${words.join(', ')} in the column "${roles.status ?? ''}" is unknown: rows with ${words.length === 1 ? 'this word' : 'these words'} may be pending, or may not have happened.`,
      remedy: isUnproven ? `${what} If the column has no statuses, use --status-column "".` : what,
      requiresOption: true,
    };
  }
}

/** The maximum number of unknown statuses that are stored. A column with so many unknown statuses probably contains free text. */
const unknownStatusesMax = 20;
