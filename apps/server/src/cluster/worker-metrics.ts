import { AggregatorRegistry } from 'prom-client';
import type { Figure } from '../http/metrics.js';

const answerMsMax = 1_000;

/** A worker that can be asked for its figures. */
interface Member {
  readonly ask: () => Promise<readonly Figure[]>;
  /** What it told last. */
  told: readonly Figure[];
}

/**
 * The page of GET /metrics over all workers. What only ever grows goes on growing when a worker ends, as if it had been one
 * process all along: a sum that falls is taken for a restart by Prometheus, and counted once more. What stands for a moment,
 * such as memory or requests under way, is that of the workers there are.
 */
export class FiguresOfWorkers {
  readonly #members = new Map<number, Member>();
  readonly #sleep: (ms: number) => Promise<void>;
  #past: readonly Figure[] = [];

  constructor(parts: { readonly sleep: (ms: number) => Promise<void> }) {
    this.#sleep = parts.sleep;
  }

  /** @param ask gives a worker's figures now; it need not answer */
  join(id: number, ask: () => Promise<readonly Figure[]>): void {
    this.#members.set(id, { ask, told: [] });
  }

  /** Keeps what a worker told unasked, as it does at its end. */
  note(id: number, figures: readonly Figure[]): void {
    const member = this.#members.get(id);
    if (member !== undefined) member.told = figures;
  }

  /** A worker has ended. Of one that was killed what it told last counts, which is also what was shown last. */
  leave(id: number): void {
    const { told = [] } = this.#members.get(id) ?? {};
    this.#members.delete(id);
    this.#past = sumOf([this.#past, growingOf(told)]).getMetricsAsArray();
  }

  /** Asks all workers, and adds up; of one that does not answer within a second, what it told last. */
  async page(): Promise<string> {
    const silent = new Set<Member>();
    await Promise.all(
      [...this.#members.values()].map(async (member) => {
        const figures = await Promise.race([member.ask(), this.#sleep(answerMsMax)]).catch(() => undefined);
        if (figures === undefined) silent.add(member);
        else member.told = figures;
      }),
    );
    // Added up in one go: whoever ended while the others were asked is in the past by now, and only there.
    const present = [...this.#members.values()].map((member) =>
      silent.has(member) ? growingOf(member.told) : member.told,
    );
    return sumOf([...present, this.#past]).metrics();
  }
}

function sumOf(figures: readonly (readonly Figure[])[]) {
  return AggregatorRegistry.aggregate(figures.map((one) => [...one]));
}

function growingOf(figures: readonly Figure[]): readonly Figure[] {
  return figures.filter(({ type }) => type === 'counter' || type === 'histogram');
}
