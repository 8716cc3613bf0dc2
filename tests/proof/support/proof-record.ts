import { appendFile } from 'node:fs/promises';

/** What one proof did and found; one line of `docs/proof.md`. */
export interface ProofRecord {
  /** Number in the test plan: `T1`. */
  readonly id: string;
  /** What is proven, as a sentence. */
  readonly promise: string;
  /** Gives the same run again, or null where nothing is random. */
  readonly seed: number | null;
  /** How often which fault was injected, and how much was asked. */
  readonly injected: Readonly<Record<string, number>>;
  /** What was measured on the way, such as a p99: told beside the promise, and no part of it. Units stand in the names. */
  readonly measured?: Readonly<Record<string, number | string>>;
  /** Each kind of violation and how often it was seen; all 0 when the promise held. */
  readonly violations: Readonly<Record<string, number>>;
}

/** Whether the long figures are asked for; a commit is tested with the small ones. */
export const isLong = process.env.CENTAVO_PROOF === 'long';

/** The seed of this run: `CENTAVO_PROOF_SEED`, to repeat one, else a new one. */
export const proofSeed = Number(process.env.CENTAVO_PROOF_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The time that a proof may take: a long one ends by itself before it is over, a small one hangs if it takes that long. */
export const shareMs = 60_000 * Number(process.env.CENTAVO_PROOF_MINUTES ?? 20);

/**
 * Whether a proof that does as much as fits has to come to its end: what is left of its share is for what comes after. Counts
 * from the start of its process, because servers and tenants take their time on a busy machine too.
 * @param part of the share, where another promise of the same file comes after
 */
export function isLate(part = 1): boolean {
  return isLong && performance.now() > 0.85 * part * shareMs;
}

/** Prints the record as a line of JSON, and adds it to the file `CENTAVO_PROOF_REPORT` names. */
export async function recordProof(record: ProofRecord): Promise<void> {
  const line = `${JSON.stringify(record)}\n`;
  process.stdout.write(line);
  if (process.env.CENTAVO_PROOF_REPORT !== undefined) await appendFile(process.env.CENTAVO_PROOF_REPORT, line);
}
