import { earliestDate, isCalendarDate, isUuid } from '@centavo/contracts';

/** A position in the order of movements. A page begins with the first movement after this position. */
export interface MovementPosition {
  readonly occurredOn: string;
  /** RFC 3339 with milliseconds. */
  readonly createdAt: string;
  readonly id: string;
}

/** Returns the opaque cursor of a position. */
export function formatMovementCursor(position: MovementPosition): string {
  return Buffer.from(`${position.occurredOn} ${position.createdAt} ${position.id}`).toString('base64url');
}

/**
 * Returns the position of a cursor, or undefined for a string that {@link formatMovementCursor} cannot return. Checks that `occurredOn`
 * and the date of `createdAt` are in the calendar, because `Date.parse` accepts a forged date such as 31 February. PostgreSQL would
 * reject such a date, and the request would get status 500.
 */
export function parseMovementCursor(cursor: string): MovementPosition | undefined {
  const [occurredOn = '', createdAt = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const isTime =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  const datesAreValid = isStorableDate(occurredOn) && isStorableDate(createdAt.slice(0, 10));
  if (rest.length > 0 || !isTime || !datesAreValid || !isUuid(id)) return undefined;
  const position = { occurredOn, createdAt, id };
  // Several base64 strings decode to the same bytes, because the decoder skips unknown characters. Only one of these
  // strings is accepted: the one that formatMovementCursor returns.
  return formatMovementCursor(position) === cursor ? position : undefined;
}

function isStorableDate(date: string): boolean {
  return isCalendarDate(date) && date >= earliestDate;
}
