/**
 * The delimiter of a CSV file, from its first lines: the candidate that most of them have in the same number, outside
 * quotes; the more columns, the better. A comma where nothing speaks for another.
 */
export function detectDelimiter(lines: readonly string[]): string {
  const scored = candidates.map((delimiter) => ({ delimiter, score: scoreOf(delimiter, lines) }));
  return scored.reduce((best, next) => (next.score > best.score ? next : best)).delimiter;
}

const candidates = [',', ';', '\t', '|'] as const;

function scoreOf(delimiter: string, lines: readonly string[]): number {
  const counts = lines.map((line) => line.replace(/"[^"]*"/g, '').split(delimiter).length - 1).filter((n) => n > 0);
  if (counts.length === 0) return 0;
  const linesByCount = new Map<number, number>();
  for (const count of counts) linesByCount.set(count, (linesByCount.get(count) ?? 0) + 1);
  // Agreement first: prose in a description has many commas, but never the same number on every line.
  return Math.max(...[...linesByCount].map(([count, agreeing]) => agreeing * agreeing + count / 1000));
}
