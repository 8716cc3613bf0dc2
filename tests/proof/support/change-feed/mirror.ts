import type { Change } from '@centavo/sdk';
import { newTally } from '../tally.js';

/** The fields of a change that are compared with the database. */
export type Entry = Pick<Change, 'sequence' | 'id' | 'type' | 'requestId' | 'hash'> & { readonly resourceId: string };

/** A copy of one tracker, built from its changes alone. */
export interface Mirror {
  readonly entries: Entry[];
  /** The newest record of each resource, by type and id. Empty for a follower that reads no records. */
  readonly records: Map<string, NonNullable<Change['record']>>;
  /** The last value of each changed field, as JSON. A key consists of the resource type, the resource id and the name of the field. */
  readonly fields: Map<string, string>;
  /** The cursors after the changes that the follower received. */
  readonly cursors: { readonly sequence: number; readonly cursor: string }[];
  /** The cursor that the follower stored last. */
  cursor: string | undefined;
}

export const mirrorFaults = () =>
  newTally(
    'numbers that are missing, repeated or out of order',
    'changes of a value that is not the last one',
    'records that became older',
  );

/** Creates the mirror of a tracker before its first change. */
export function newMirror(): Mirror {
  return { entries: [], records: new Map(), fields: new Map(), cursors: [], cursor: undefined };
}

/** Applies the next change to a mirror, and counts the contradictions between this change and earlier changes. */
export function accept(mirror: Mirror, change: Change, faults: ReturnType<typeof mirrorFaults>): void {
  const { sequence, id, type, requestId, hash, resource, record } = change;
  if (sequence !== mirror.entries.length + 1) faults['numbers that are missing, repeated or out of order'] += 1;
  mirror.entries.push({ sequence, id, type, requestId, hash, resourceId: resource.id });
  const key = `${resource.type} ${resource.id}`;
  for (const [field, [before, after]] of Object.entries(change.change ?? {})) {
    const last = mirror.fields.get(`${key} ${field}`) ?? JSON.stringify(before);
    if (last !== JSON.stringify(before)) faults['changes of a value that is not the last one'] += 1;
    mirror.fields.set(`${key} ${field}`, JSON.stringify(after));
  }
  if (record === null) return;
  const last = mirror.records.get(key);
  if (last !== undefined && versionOf(record) < versionOf(last)) faults['records that became older'] += 1;
  mirror.records.set(key, record);
}

/** Returns the version of a movement; 0 for records without versions. */
function versionOf(record: NonNullable<Change['record']>): number {
  return 'version' in record ? record.version : 0;
}
