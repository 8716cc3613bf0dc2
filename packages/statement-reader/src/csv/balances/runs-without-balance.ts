import { addDecimals } from '../../totals.js';

/** Consecutive rows of one account and currency that have no balance. */
export interface RunWithoutBalance {
  /** Identifies the account and the currency of the rows. */
  readonly chain: string;
  /** The line numbers of up to five of the rows. */
  readonly lines: readonly number[];
  /** The days of the oldest and the newest row, `YYYY-MM-DD`. */
  readonly firstDay: string;
  readonly lastDay: string;
}

/** A transaction without a balance. */
export interface UnbalancedRow {
  readonly line: number;
  /** `YYYY-MM-DD`. */
  readonly occurredOn: string;
  readonly chain: string;
  /** The amount after subtracting the fee, negative for an expense. */
  readonly amount: string;
}

/**
 * Collects the runs of rows without a balance. It omits a run whose amounts add up to zero, because such a run does not change the
 * balance.
 */
export class RunsWithoutBalance {
  readonly #current = new Map<string, RunWithoutBalance & { readonly amount: string }>();
  readonly #ended: RunWithoutBalance[] = [];

  add({ line, occurredOn, chain, amount }: UnbalancedRow): void {
    const run = this.#current.get(chain) ?? { lines: [], firstDay: occurredOn, lastDay: occurredOn, amount: '0' };
    this.#current.set(chain, {
      chain,
      lines: run.lines.length < linesMax ? [...run.lines, line] : run.lines,
      firstDay: occurredOn < run.firstDay ? occurredOn : run.firstDay,
      lastDay: occurredOn > run.lastDay ? occurredOn : run.lastDay,
      amount: addDecimals([run.amount, amount]),
    });
  }

  /** Ends the run of an account and currency at a row with a balance. */
  end(chain: string): void {
    const run = this.#current.get(chain);
    if (run === undefined) return;
    this.#current.delete(chain);
    if (addDecimals([run.amount]) !== '0' && this.#ended.length < runsMax) this.#ended.push(run);
  }

  /** The runs that end at a row with a balance. A run at the end of the file is not among them. */
  get ended(): readonly RunWithoutBalance[] {
    return this.#ended;
  }
}

const linesMax = 5;

/** The maximum number of collected runs, to limit the memory. */
const runsMax = 10_000;
