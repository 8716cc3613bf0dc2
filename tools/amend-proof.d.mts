import type { ProofReport } from './render-proof.mjs';

/**
 * Puts what a later run of some proofs found in the place of what an earlier report says of them.
 * @param report of an earlier run, or null where there is none
 * @param later of the files that it names
 */
export declare function amendProof(report: ProofReport | null, later: ProofReport): ProofReport;
