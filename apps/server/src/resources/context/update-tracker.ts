import type { updateTrackerBody } from '@centavo/contracts';
import type * as z from 'zod';
import type { TrackerRow } from './tracker-view.js';

/** What a tracker is called and where its days begin, with what that changes; nothing when `change` is empty. */
export interface TrackerChange {
  readonly name: string;
  readonly timeZone: string;
  readonly change: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/**
 * Decides a new name or time zone of a tracker. Pure.
 * The currency is not among them: what was recorded without naming one would change its meaning.
 * Source: contract, section 9
 */
export function decideTrackerChange(request: {
  readonly body: z.output<typeof updateTrackerBody>;
  readonly current: Pick<TrackerRow, 'name' | 'time_zone'>;
}): TrackerChange {
  const { body, current } = request;
  const { name = current.name, timeZone = current.time_zone } = body;
  const change = {
    ...(name === current.name ? {} : { name: [current.name, name] as const }),
    ...(timeZone === current.time_zone ? {} : { timeZone: [current.time_zone, timeZone] as const }),
  };
  return { name, timeZone, change };
}
