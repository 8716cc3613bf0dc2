import type { StatementRow } from '../../statements/statement-row.js';

/**
 * Some transactions of a statement, spread over it, in its order: at most twenty. A statement is read for them no
 * further than twenty thousand rows, which takes a blink; those of people are far shorter, and a million rows would be
 * read once more for nothing.
 *
 * Halves of transfers in Centavo's own export are left out, because an import knows those by their group.
 */
export async function* sampleRows(
  rows: AsyncIterable<StatementRow>,
  rowCount: number,
): AsyncGenerator<StatementRow, void, undefined> {
  const reach = Math.min(rowCount, rowsReadMax);
  const step = Math.max(1, reach / sampleMax);
  let index = -1;
  let sampled = 0;
  for await (const row of rows) {
    index += 1;
    if (index >= reach || sampled === sampleMax) return;
    // Where one cannot be looked at, the next that can takes its place.
    if (index < Math.floor(sampled * step) || !isSampled(row)) continue;
    sampled += 1;
    yield row;
  }
}

/** Each may take two requests. */
const sampleMax = 20;
const rowsReadMax = 20_000;

function isSampled(row: StatementRow): boolean {
  return row.outcome === 'transaction' && row.transaction.transferGroupId === undefined;
}
