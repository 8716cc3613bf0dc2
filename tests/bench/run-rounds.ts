import { alternateRounds } from './alternate-rounds.js';
import { type Comparison, compareRounds } from './compare-rounds.js';
import { type Figures, type Round, ratioOf, summarize } from './figures.js';
import { readProcessorMs, spentBetween } from './load/processor-time.mjs';
import { runLoad } from './load/run-load.js';
import { runReference } from './reference/run-reference.js';
import type { Books } from './server/create-books.js';
import type { BenchServer } from './server/start-bench-server.js';

/** The results of a workload. Without pgbench, there is no reference and no ratio. */
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

/** A server with its data. */
export interface ServerWithData {
  readonly server: BenchServer;
  readonly books: Books;
  /** The cursor of a page deep in the list of movements, for the workload `deep`. */
  readonly pageCursor?: string;
}

/** Measures a workload in rounds of Centavo. With `withReference`, they alternate with rounds of pgbench. */
export async function runRounds(plan: RoundsPlan, target: ServerWithData, withReference: boolean): Promise<Outcome> {
  const centavo = () => runCentavoRound(plan, target);
  if (!withReference) {
    const measured = await alternateRounds(plan.rounds, { centavo });
    return { centavo: summarize(measured.centavo), reference: null, ratio: null };
  }
  const measured = await alternateRounds(plan.rounds, { reference: () => runReferenceRound(plan, target), centavo });
  const figures = { centavo: summarize(measured.centavo), reference: summarize(measured.reference) };
  return { ...figures, ratio: ratioOf(figures) };
}

/** Measures a workload with large and with small data in alternating rounds. */
export async function compareSizes(
  plan: RoundsPlan,
  { large, small }: { readonly large: ServerWithData; readonly small: ServerWithData },
): Promise<Comparison> {
  return compareRounds(
    await alternateRounds(plan.rounds, {
      large: () => runCentavoRound(plan, large),
      small: () => runCentavoRound(plan, small),
    }),
  );
}

function runCentavoRound(plan: RoundsPlan, { server, books, pageCursor }: ServerWithData): Promise<Round> {
  return runLoad({
    ...plan,
    seconds: plan.secondsOfRound,
    origin: server.origin,
    pids: server.pids,
    headers: books.headers,
    books: pageCursor === undefined ? books.forClient : { ...books.forClient, pageCursor },
  });
}

async function runReferenceRound(plan: RoundsPlan, { server, books }: ServerWithData): Promise<Round> {
  const before = readProcessorMs(server.pids);
  const run = await runReference({
    ...plan,
    seconds: plan.secondsOfRound,
    connectionString: server.connectionString,
    names: books.forReference,
  });
  const { postgres } = spentBetween(before, readProcessorMs(server.pids));
  return { ...run, processorMs: { server: null, postgres, client: null } };
}
