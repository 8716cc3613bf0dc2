import type { ReadyRow } from './prepare-rows.js';

/**
 * Gives the rows that the API would refuse for their day as failures, so that a dry run does not promise them. The last
 * day is counted from the tracker's today, which is known here to a day: one that some place on earth would still take
 * is left to the server. An import itself needs no such look, and must not believe the clock of this machine more than
 * the server's.
 *
 * @param nowMs since 1970
 */
export async function* foreseeRefusals(rows: AsyncIterable<ReadyRow>, nowMs: number): AsyncGenerator<ReadyRow> {
  const latestDay = new Date(nowMs + earliestZoneMs + daysAheadMax * dayMs).toISOString().slice(0, 10);
  for await (const row of rows) {
    const reason = row.outcome === 'prepared' || row.outcome === 'paired' ? checkDay(row.body, latestDay) : undefined;
    if (reason === undefined) yield row;
    else for (const line of linesOf(row)) yield { line, outcome: 'failure', reason };
  }
}

/** The first day that the API takes. Source: contract, section 1. */
export const earliestDay = '1900-01-01';

/** How far behind the tracker's today a day may be. Source: contract, section 1. */
const daysAheadMax = 366;
const dayMs = 86_400_000;
/** Where a day begins first, 14 hours before it does in UTC. */
const earliestZoneMs = 14 * 3_600_000;

function checkDay(
  { occurredOn }: { readonly occurredOn?: string | null | undefined },
  latestDay: string,
): string | undefined {
  if (occurredOn === undefined || occurredOn === null) return undefined;
  if (occurredOn < earliestDay)
    return `occurredOn: ${occurredOn} is before ${earliestDay}, the first day that is taken`;
  return occurredOn > latestDay ? `occurredOn: ${occurredOn} is more than ${daysAheadMax} days ahead` : undefined;
}

function linesOf(row: ReadyRow): readonly number[] {
  return row.outcome === 'paired' ? row.lines : [row.line];
}
