/** Conflicts with the current state: 409. */
import type { StateConflictReason } from '@centavo/contracts/calls';
import { brandErrors, hasErrorBrand } from './error-brand.js';
import { type ApiErrorFields, FinancialApiError } from './financial-api-error.js';

/**
 * 409 VERSION_CONFLICT: the record has changed since its ETag was read. Nothing was written.
 * @example
 * import { isVersionConflictError } from '@centavo/sdk';
 *
 * try {
 *   await client.movements.correct(movementId, { description: 'Lunch' }, { etag: '"of-an-earlier-read"' });
 * } catch (error) {
 *   if (!isVersionConflictError(error)) throw error;
 *   console.error('Changed meanwhile; the ETag is now', error.currentEtag);
 * }
 */
export class VersionConflictError extends FinancialApiError {
  static {
    brandErrors(VersionConflictError, 'VersionConflictError');
  }

  /** The current ETag of the record; null if the response does not contain it. */
  readonly currentEtag: string | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.currentEtag = stringOrNull(fields.details.currentEtag);
  }
}

/**
 * 409: the idempotency key was used for a different request (`IDEMPOTENCY_KEY_REUSED`), or a request with this key is still in progress
 * (`IDEMPOTENCY_IN_PROGRESS`).
 * @example
 * import { isIdempotencyConflictError } from '@centavo/sdk';
 *
 * try {
 *   const input = { type: 'expense', amountDecimal: '12.50', accountId } as const;
 *   await client.movements.create(input, { idempotencyKey: 'statement-7-row-12' });
 * } catch (error) {
 *   if (!isIdempotencyConflictError(error)) throw error;
 *   console.error(error.code); // such as IDEMPOTENCY_KEY_REUSED: row 12 was recorded with other content
 * }
 */
export class IdempotencyConflictError extends FinancialApiError {
  static {
    brandErrors(IdempotencyConflictError, 'IdempotencyConflictError');
  }
}

/**
 * 409 STATE_CONFLICT: the request is valid but conflicts with the current state. `reason` names the conflict.
 * @example
 * import { isStateConflictError } from '@centavo/sdk';
 *
 * try {
 *   await client.categories.create({ name: 'Groceries' });
 * } catch (error) {
 *   if (!isStateConflictError(error)) throw error;
 *   console.error(error.reason); // such as name_taken or limit_reached
 * }
 */
export class StateConflictError extends FinancialApiError {
  static {
    brandErrors(StateConflictError, 'StateConflictError');
  }

  readonly reason: StateConflictReason | (string & {}) | null;

  constructor(fields: ApiErrorFields) {
    super(fields);
    this.reason = stringOrNull(fields.details.reason);
  }
}

/**
 * 409 STATE_CONFLICT `cursor_diverged`: the history of the tracker does not contain the event to which the cursor points, for example
 * because a backup was restored. To follow changes again, get a new cursor with `changes.list({ from: 'now' })`, read all records, and
 * then continue from this cursor.
 * @example
 * import { isCursorDivergedError } from '@centavo/sdk';
 *
 * try {
 *   await client.changes.list({ after: 'AQAAAAAAAAAHAAAAAAAAAAA' });
 * } catch (error) {
 *   if (!isCursorDivergedError(error)) throw error;
 *   console.error('Read everything again.');
 * }
 */
export class CursorDivergedError extends StateConflictError {
  static {
    brandErrors(CursorDivergedError, 'CursorDivergedError');
  }
}

/**
 * 409 STATE_CONFLICT `cursor_expired`: the server has removed events that the request needs, such as the changes after a cursor. To follow
 * changes again, get a new cursor with `changes.list({ from: 'now' })`, read all records, and then continue from this cursor.
 * @example
 * import { isCursorExpiredError } from '@centavo/sdk';
 *
 * try {
 *   await client.changes.list();
 * } catch (error) {
 *   if (!isCursorExpiredError(error)) throw error;
 *   console.error('Read everything again.');
 * }
 */
export class CursorExpiredError extends StateConflictError {
  static {
    brandErrors(CursorExpiredError, 'CursorExpiredError');
  }
}

export function isCursorDivergedError(value: unknown): value is CursorDivergedError {
  return hasErrorBrand(value, 'CursorDivergedError');
}

export function isCursorExpiredError(value: unknown): value is CursorExpiredError {
  return hasErrorBrand(value, 'CursorExpiredError');
}

export function isVersionConflictError(value: unknown): value is VersionConflictError {
  return hasErrorBrand(value, 'VersionConflictError');
}

export function isIdempotencyConflictError(value: unknown): value is IdempotencyConflictError {
  return hasErrorBrand(value, 'IdempotencyConflictError');
}

export function isStateConflictError(value: unknown): value is StateConflictError {
  return hasErrorBrand(value, 'StateConflictError');
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
