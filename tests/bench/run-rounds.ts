import { takeTurns } from './alternate-rounds.js';
import { type Comparison, compareRounds } from './compare-rounds.js';
import { type Figures, type Round, ratioOf, summarize } from './figures.js';
import { readProcessorMs, spentBetween } from './load/processor-time.mjs';
import { runLoad } from './load/run-load.js';
import { runReference } from './reference/run-reference.js';
import type { Books } from './server/create-books.js';
import type { Place } from './server/start-bench-server.js';

/** The results of a workload. Without pgbench it has no reference and no ratio. */
export interface Outcome {
  readonly centavo: Figures;
  readonly reference: Figures | null;
  readonly ratio: number | null;
}

/** The settings of a measurement, for Centavo and for the reference. */
export interface RoundsPlan {
  readonly workload: string;
  readonly rounds: number;
  readonly secondsOfRound: number;
  readonly connections: number;
}

/** A server with its data, one of several in a comparison. */
export interface Side {
  readonly place: Place;
  readonly books: Books;
  /** The cursor of a page deep in the list, for the workload that reads it. */
  readonly pageCursor?: string;
}

/** Measures a workload in rounds that alternate between the reference, if there is one, and Centavo. */
export async function runRounds(plan: RoundsPlan, side: Side, withReference: boolean): Promise<Outcome> {
  const centavo = () => runCentavoRound(plan, side);
  if (!withReference) {
    const taken = await takeTurns(plan.rounds, { centavo });
    return { centavo: summarize(taken.centavo), reference: null, ratio: null };
  }
  const taken = await takeTurns(plan.rounds, { reference: () => runReferenceRound(plan, side), centavo });
  const figures = { centavo: summarize(taken.centavo), reference: summarize(taken.reference) };
  return { ...figures, ratio: ratioOf(figures) };
}

/** Measures a workload with large and with small data in alternating rounds. */
export async function compareSides(
  plan: RoundsPlan,
  { large, small }: { readonly large: Side; readonly small: Side },
): Promise<Comparison> {
  return compareRounds(
    await takeTurns(plan.rounds, {
      large: () => runCentavoRound(plan, large),
      small: () => runCentavoRound(plan, small),
    }),
  );
}

function runCentavoRound(plan: RoundsPlan, { place, books, pageCursor }: Side): Promise<Round> {
  return runLoad({
    ...plan,
    seconds: plan.secondsOfRound,
    origin: place.origin,
    pids: place.pids,
    headers: books.headers,
    books: pageCursor === undefined ? books.forClient : { ...books.forClient, pageCursor },
  });
}

async function runReferenceRound(plan: RoundsPlan, { place, books }: Side): Promise<Round> {
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
