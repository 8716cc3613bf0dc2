/**
 * Decides whether rows that were looked at show that the file was recorded through another user or key: at least one in
 * five of them, and two.
 *
 * One in five, because a file that overlaps an earlier one may hold few rows of it, and none of them is to be doubled.
 * Two, because one equal movement may have been made by hand. Of one row or two all have to be there: so small a file
 * proves little, and yet is doubled as easily; who means it says so with a flag.
 */
export function decideRecordAgain({
  lookedAtCount,
  foundCount,
}: {
  lookedAtCount: number;
  foundCount: number;
}): 'stop' | 'go on' {
  if (foundCount === 0) return 'go on';
  return foundCount >= Math.min(lookedAtCount, Math.max(2, lookedAtCount / 5)) ? 'stop' : 'go on';
}
