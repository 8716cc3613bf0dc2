// Replaces results in a report of the proofs (tests/proof) with those of a later run. This module is pure and has no dependencies.

/**
 * @param report the report of an earlier run, or null
 * @param later the report of a later run of some files
 */
export function amendProof(report, later) {
  if (report === null) return later;
  const isOfOtherFile = ({ file }) => !later.files.includes(file);
  return {
    ...report,
    files: [...new Set([...report.files, ...later.files])].sort(),
    records: [...report.records.filter(isOfOtherFile), ...later.records],
    unfinished: [...report.unfinished.filter(isOfOtherFile), ...later.unfinished],
  };
}
