import type { Question } from './statement.js';

/** The result of the check of one statement's balances. */
export type BalanceFinding =
  /** The opening balance plus the entries equals the closing balance. */
  | { readonly kind: 'agrees'; readonly entryCount: number }
  /**
   * Two values contradict each other, and `message` names both. This has one of three causes: the entries do not add up to the difference
   * between two balances; the summary of the statement has another number or sum of entries; or a statement does not begin with the closing
   * balance of the statement before it, although no day is between the two.
   */
  | { readonly kind: 'disagrees'; readonly message: string }
  /** There is at least one day between two statements, and the second does not begin with the closing balance of the first. */
  | { readonly kind: 'gap'; readonly text: string }
  /**
   * The statement has only one balance. `text` describes it, for example as `ledger balance 12.00 EUR on 2026-01-31`. If an
   * earlier balance of the account plus the transactions since then equals this balance, `text` also says so.
   */
  | { readonly kind: 'stated'; readonly text: string };

/**
 * The maximum number of disagreements, and separately of gaps, whose texts are stored for each account. Further disagreements are only
 * counted, because a file may have thousands of statements.
 */
const messagesMax = 3;

/** Collects the results of all balance checks of one account, in constant memory. */
export class AccountBalances {
  #agreeing = { statements: 0, entries: 0 };
  #disagreeing = 0;
  readonly #messages: string[] = [];
  readonly #gaps: string[] = [];
  #stated: string | undefined;

  add(finding: BalanceFinding): void {
    if (finding.kind === 'agrees') {
      this.#agreeing.statements += 1;
      this.#agreeing.entries += finding.entryCount;
    } else if (finding.kind === 'disagrees') {
      this.#disagreeing += 1;
      if (this.#messages.length < messagesMax) this.#messages.push(finding.message);
    } else if (finding.kind === 'gap') {
      if (this.#gaps.length < messagesMax) this.#gaps.push(finding.text);
    } else this.#stated = finding.text;
  }

  /**
   * The results as lines of text: one line for all statements whose balances agree, one line for each of the first disagreements (at most
   * `messagesMax`), the number of further disagreements, the texts of the first gaps, and the text of the last result of the kind `stated`.
   */
  get lines(): readonly string[] {
    const { statements, entries } = this.#agreeing;
    const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
    const subject = statements === 1 ? 'balance' : `balances of ${statements} statements`;
    return [
      ...(statements === 0 ? [] : [`opening and closing ${subject} agree with ${count}`]),
      ...this.#messages,
      ...(this.#disagreeing > this.#messages.length
        ? [`${this.#disagreeing - this.#messages.length} more balances disagree`]
        : []),
      ...this.#gaps,
      ...(this.#stated === undefined ? [] : [this.#stated]),
    ];
  }

  /** The message of the first disagreement; undefined if there is none. */
  get disagreement(): string | undefined {
    return this.#messages[0];
  }
}

/**
 * Returns a question for the user if the rows of a file contradict its balances, otherwise null. To import the file nevertheless, the user
 * must confirm on a terminal, or use `--ignore-balance`. `--yes` is not enough.
 */
export function balanceQuestion(accounts: readonly { readonly balances: AccountBalances }[]): Question | null {
  for (const { balances } of accounts) {
    const { disagreement } = balances;
    if (disagreement === undefined) continue;
    return {
      message: `${disagreement.replace(/^./, (letter) => letter.toUpperCase())}. Rows may be missing or wrong.`,
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    };
  }
  return null;
}
