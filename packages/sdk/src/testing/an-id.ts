let made = 0;

/**
 * A new id in the shape of the server's: a UUIDv7, greater than all that were made before it. The ids of a run are the same
 * every time, so a snapshot with ids in it stays as it is.
 * @example
 * import { anId } from '@centavo/sdk/testing';
 *
 * const [earlier, later] = [anId(), anId()];
 * console.log(earlier < later); // true
 */
export function anId(): string {
  made += 1;
  return `0199f7a0-0000-7000-8000-${made.toString(16).padStart(12, '0')}`;
}

/** The tracker that every record belongs to unless it is told another. */
export const sharedTrackerId = '0199f7a0-0000-7000-8000-ffffffff0001';

/** The API key with which everything has been recorded. */
export const sharedClientId = '0199f7a0-0000-7000-8000-ffffffff0003';

/** The user behind it. */
export const sharedUserId = '0199f7a0-0000-7000-8000-ffffffff0002';

/** The moment at which every record was made unless it is told another. */
export const sharedMoment = '2026-01-31T12:00:00.000Z';
