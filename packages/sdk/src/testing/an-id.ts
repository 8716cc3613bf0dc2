let made = 0;

/**
 * Returns a new id in the form that the server uses: a UUIDv7, greater than all earlier ids. Each run of the tests creates
 * the same ids, so that snapshots with ids do not change.
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

/** The id of a tracker. Builders such as `aMovement` use it by default as the `trackerId` of their records. */
export const sharedTrackerId = '0199f7a0-0000-7000-8000-ffffffff0001';

/**
 * The id of an API key. By default, this key is the source of the movements, the actor of the events and the principal of the
 * contexts that builders such as `aMovement` return.
 */
export const sharedClientId = '0199f7a0-0000-7000-8000-ffffffff0003';

/** The id of the user who owns the API key `sharedClientId`. */
export const sharedUserId = '0199f7a0-0000-7000-8000-ffffffff0002';

/** The default of `createdAt`, `updatedAt` and similar timestamps in the records that builders such as `aMovement` return. */
export const sharedMoment = '2026-01-31T12:00:00.000Z';
