import { type Figures, type Round, ratioOf, summarize } from './figures.js';
import { readProcessorMs, spentBetween } from './load/processor-time.mjs';
import { runLoad } from './load/run-load.js';
import type { Books } from './place/furnish-books.js';
import type { Place } from './place/open-place.js';
import { runReference } from './reference/run-reference.js';

/** What came of a workload; without pgbench there is no reference, and no ratio. */
export interface Outcome {
  readonly centavo: Figures;
  readonly reference: Figures | null;
  readonly ratio: number | null;
}

export interface RoundsPlan {
  readonly workload: string;
  readonly place: Place;
  readonly books: Books;
  /** Where a page deep in the list begins, for the workload that asks for it. */
  readonly pageCursor?: string;
  readonly rounds: number;
  readonly secondsOfRound: number;
  readonly connections: number;
  readonly withReference: boolean;
}

/**
 * Measures a workload in rounds in which the reference and Centavo take turns, so that what the machine does besides
 * falls on both. The first round of each is thrown away: it is for caches and compilers.
 */
export async function runRounds(plan: RoundsPlan): Promise<Outcome> {
  const rounds: { reference: Round[]; centavo: Round[] } = { reference: [], centavo: [] };
  for (let number = 0; number <= plan.rounds; number += 1) {
    const reference = plan.withReference ? await runReferenceRound(plan) : undefined;
    const centavo = await runCentavoRound(plan);
    if (number === 0) continue;
    if (reference !== undefined) rounds.reference.push(reference);
    rounds.centavo.push(centavo);
  }
  const centavo = summarize(rounds.centavo);
  const reference = plan.withReference ? summarize(rounds.reference) : null;
  return { centavo, reference, ratio: reference === null ? null : ratioOf({ centavo, reference }) };
}

/** A server with its books, as one of several that are held against each other. */
export type Side = Pick<RoundsPlan, 'place' | 'books' | 'pageCursor'>;

/**
 * Measures a workload at several servers in turns, as {@link runRounds} does with one and the reference.
 * @returns the figures of each, in their order
 */
export async function runTurns(
  plan: Pick<RoundsPlan, 'workload' | 'rounds' | 'secondsOfRound' | 'connections'>,
  sides: readonly Side[],
): Promise<Figures[]> {
  const rounds: Round[][] = sides.map(() => []);
  for (let number = 0; number <= plan.rounds; number += 1) {
    const inTurn = [...sides.entries()];
    // Nobody is always the first.
    for (const [index, side] of number % 2 === 0 ? inTurn : inTurn.reverse()) {
      const round = await runCentavoRound({ ...plan, ...side, withReference: false });
      if (number > 0) rounds[index]?.push(round);
    }
  }
  return rounds.map(summarize);
}

function runCentavoRound({ place, books, pageCursor, ...plan }: RoundsPlan): Promise<Round> {
  return runLoad({
    ...plan,
    seconds: plan.secondsOfRound,
    origin: place.origin,
    pids: place.pids,
    headers: books.headers,
    books: pageCursor === undefined ? books.forClient : { ...books.forClient, pageCursor },
  });
}

async function runReferenceRound({ place, books, ...plan }: RoundsPlan): Promise<Round> {
  const before = readProcessorMs(place.pids);
  const run = await runReference({
    ...plan,
    seconds: plan.secondsOfRound,
    connectionString: place.connectionString,
    names: books.forReference,
  });
  const { postgres } = spentBetween(before, readProcessorMs(place.pids));
  return { ...run, processorMs: { server: null, postgres, client: null } };
}
