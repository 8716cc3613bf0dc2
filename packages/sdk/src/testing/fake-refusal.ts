import type { ErrorCode, Issue } from '@centavo/contracts/calls';
import type { ErrorFields } from './answers.js';

/** An error that the fake returns as an error response. */
export class FakeRefusal extends Error {
  readonly code: ErrorCode;
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, fields: ErrorFields = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** Returns the error for a 400 response with the given issues. */
export function invalid(...issues: readonly Issue[]): FakeRefusal {
  return new FakeRefusal('VALIDATION_ERROR', { message: 'The request is not valid.', details: { issues } });
}

/**
 * Returns the error for a 404 response. `resource` is the kind of the missing record. It is undefined if the id of the record is in
 * the path, not in the body.
 */
export function notFound(resource?: 'account' | 'cashbox' | 'category'): FakeRefusal {
  return new FakeRefusal('NOT_FOUND', { details: resource === undefined ? {} : { resource } });
}
