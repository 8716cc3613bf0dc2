/**
 * A share as a whole percentage for people: 100% only where it is everything, and above it with the first cent more; 0%
 * only where it is nothing.
 */
export function toPercent(part: bigint, whole: bigint): string {
  if (whole === 0n) return '';
  const nearest = (part * 200n + whole) / (whole * 2n);
  if (nearest === 0n && part > 0n) return '<1%';
  if (nearest !== 100n || part === whole) return `${nearest}%`;
  return part < whole ? '99%' : '101%';
}
