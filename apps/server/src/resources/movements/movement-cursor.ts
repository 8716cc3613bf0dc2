import { earliestDate, isCalendarDate, isUuid } from '@centavo/contracts';

/** The place in the order of movements after which a page begins. */
export interface MovementPosition {
  readonly occurredOn: string;
  /** RFC 3339 with milliseconds. */
  readonly createdAt: string;
  readonly id: string;
}

/** An opaque cursor for a position. */
export function formatMovementCursor(position: MovementPosition): string {
  return Buffer.from(`${position.occurredOn} ${position.createdAt} ${position.id}`).toString('base64url');
}

/**
 * The position of a cursor, or undefined for text that is not one of ours. A forged day such as 31 February would pass
 * Date.parse and be an error of the database, hence a 500, so each half must be a day that the database knows.
 */
export function parseMovementCursor(cursor: string): MovementPosition | undefined {
  const [occurredOn = '', createdAt = '', id = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const isTime =
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(createdAt) && !Number.isNaN(Date.parse(createdAt));
  const daysAreKnown = isKnownDay(occurredOn) && isKnownDay(createdAt.slice(0, 10));
  if (rest.length > 0 || !isTime || !daysAreKnown || !isUuid(id)) return undefined;
  const position = { occurredOn, createdAt, id };
  // Base64 has more than one way to write a text, and reads past what is none of its letters.
  return formatMovementCursor(position) === cursor ? position : undefined;
}

function isKnownDay(date: string): boolean {
  return isCalendarDate(date) && date >= earliestDate;
}
