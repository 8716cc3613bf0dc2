import type { ProofReport } from './render-proof.mjs';

/**
 * Replaces the results of some proofs in a report with those of a later run.
 * @param report the report of an earlier run, or null
 * @param later the report of a later run of some files
 */
export declare function amendProof(report: ProofReport | null, later: ProofReport): ProofReport;
