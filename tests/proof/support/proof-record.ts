import { appendFile } from 'node:fs/promises';

/** The result of a proof, a row of `docs/proof.md`. */
export interface ProofRecord {
  /** The number in the test plan: `T1`. */
  readonly id: string;
  /** The promise (what the server guarantees) as a sentence. */
  readonly promise: string;
  /** The seed that repeats the run, or null if nothing is random. */
  readonly seed: number | null;
  /** The counts of injected faults and of requests. */
  readonly injected: Readonly<Record<string, number>>;
  /** Measurements such as a p99, which are not part of the promise. The names contain the units. */
  readonly measured?: Readonly<Record<string, number | string>>;
  /** The count of each kind of violation; all are 0 if the promise held. */
  readonly violations: Readonly<Record<string, number>>;
}

/** Whether this is a long run. `npm run test:all` uses short runs. */
export const isLong = process.env.CENTAVO_PROOF === 'long';

/** The seed of this run: `CENTAVO_PROOF_SEED`, which repeats an earlier run, or a new random seed. */
export const proofSeed = Number(process.env.CENTAVO_PROOF_SEED ?? Math.floor(Math.random() * 2 ** 31));

/**
 * The time limit of a proof in milliseconds. A long run ends by itself before this limit. A short run reaches the limit only if it hangs.
 */
export const proofMsMax = 60_000 * Number(process.env.CENTAVO_PROOF_MINUTES ?? 20);

/**
 * Returns whether a long run must stop its load. The load time of a file is 85 % of its time limit, so that time is left for the
 * checks. It counts from the start of the process, because the start of servers and the creation of tenants take time too.
 * @param part the part of the load time after which this load stops; less than 1 if more loads follow in the file
 */
export function isLate(part = 1): boolean {
  return isLong && performance.now() > 0.85 * part * proofMsMax;
}

/** Prints the record as a line of JSON, and appends it to the file that `CENTAVO_PROOF_REPORT` names. */
export async function recordProof(record: ProofRecord): Promise<void> {
  const line = `${JSON.stringify(record)}\n`;
  process.stdout.write(line);
  if (process.env.CENTAVO_PROOF_REPORT !== undefined) await appendFile(process.env.CENTAVO_PROOF_REPORT, line);
}
