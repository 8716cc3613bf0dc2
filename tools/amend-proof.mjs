// Puts what a later run of some proofs found in the place of what an earlier report says of them. It has no dependencies and
// touches nothing: two reports in, one out.

/**
 * @param report of an earlier run, or null where there is none
 * @param later of the files that it names
 */
export function amendProof(report, later) {
  if (report === null) return later;
  const isOfOthers = ({ file }) => !later.files.includes(file);
  return {
    ...report,
    files: [...new Set([...report.files, ...later.files])].sort(),
    records: [...report.records.filter(isOfOthers), ...later.records],
    unfinished: [...report.unfinished.filter(isOfOthers), ...later.unfinished],
  };
}
