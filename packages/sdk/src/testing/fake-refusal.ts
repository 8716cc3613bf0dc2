import type { ErrorCode, Issue } from '@centavo/contracts/calls';
import type { ErrorFields } from './answers.js';

/** What the fake throws where the server would answer with an error. */
export class FakeRefusal extends Error {
  readonly code: ErrorCode;
  readonly fields: ErrorFields;

  constructor(code: ErrorCode, fields: ErrorFields = {}) {
    super(code);
    this.code = code;
    this.fields = fields;
  }
}

/** 400 that names what is wrong. */
export function invalid(...issues: readonly Issue[]): FakeRefusal {
  return new FakeRefusal('VALIDATION_ERROR', { message: 'The request is not valid.', details: { issues } });
}

/** 404; `resource` for what a body names. */
export function notFound(resource?: 'account' | 'cashbox' | 'category'): FakeRefusal {
  return new FakeRefusal('NOT_FOUND', { details: resource === undefined ? {} : { resource } });
}
