import { describe, expect, test } from 'vitest';
import { errorEnvelope } from './envelope.js';
import { errorCodes, issueCodes } from './error-codes.js';

// Contract, section 5.
const statuses: readonly [number, readonly string[]][] = [
  [400, ['VALIDATION_ERROR']],
  [
    401,
    [
      'UNAUTHENTICATED',
      'CREDENTIAL_INVALID',
      'CREDENTIAL_EXPIRED',
      'CREDENTIAL_REVOKED',
      'SESSION_INACTIVE',
      'STEP_UP_REQUIRED',
    ],
  ],
  [403, ['INSUFFICIENT_SCOPE', 'INSUFFICIENT_ROLE', 'TRACKER_FORBIDDEN', 'USER_SESSION_REQUIRED']],
  [404, ['NOT_FOUND']],
  [405, ['METHOD_NOT_ALLOWED']],
  [409, ['VERSION_CONFLICT', 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'STATE_CONFLICT']],
  [413, ['PAYLOAD_TOO_LARGE']],
  [415, ['UNSUPPORTED_MEDIA_TYPE']],
  [429, ['RATE_LIMITED']],
  [500, ['INTERNAL_ERROR']],
  [503, ['SERVICE_UNAVAILABLE']],
];

// Failures of HTTP itself. The contract lists their statuses, but no codes for them (sections 5 and 10a).
const httpFailures: Readonly<Record<string, number>> = {
  REQUEST_TIMEOUT: 408,
  REQUEST_HEADERS_TOO_LARGE: 431,
};

describe('the table of error codes', () => {
  // @proves contract 5: 401
  // @proves contract 5: 403
  test.each(statuses)('assigns to the status %i exactly the codes %j', (status, codes) => {
    const found = Object.entries(errorCodes).filter(([, { status: ofCode }]) => ofCode === status);
    expect(found.map(([code]) => code).sort()).toEqual([...codes].sort());
  });

  test("contains, in addition to the contract's codes, only REQUEST_TIMEOUT and REQUEST_HEADERS_TOO_LARGE", () => {
    const listed = new Set(statuses.flatMap(([, codes]) => codes));
    for (const [code, { status }] of Object.entries(errorCodes)) {
      if (!listed.has(code)) expect([code, status]).toEqual([code, httpFailures[code]]);
    }
  });

  test('has a remedy for each code, written as a sentence', () => {
    for (const { remedy } of Object.values(errorCodes)) expect(remedy).toMatch(/^[A-Z].*\.$/);
  });

  // @proves spec, Versioning: rule 2
  // @proves contract 1: error meta
  test('has only codes that the error envelope accepts, and the envelope rejects an unknown code', () => {
    const envelope = (code: string) => ({
      error: { code, message: 'No.', details: {} },
      meta: { apiVersion: 1, requestId: '0190f2a0-0000-7000-8000-000000000001' },
    });
    for (const code of Object.keys(errorCodes)) expect(errorEnvelope.safeParse(envelope(code)).success).toBe(true);
    expect(errorEnvelope.safeParse(envelope('TEAPOT')).success).toBe(false);
  });
});

// @proves contract 5: 400
test('the issue codes are those of the contract, followed by DUPLICATE_KEY and ADDRESS_NOT_ALLOWED', () => {
  const ofContract =
    'REQUIRED, INVALID_FORMAT, UNKNOWN_FIELD, REPEATED_PARAMETER, OUT_OF_RANGE, TOO_LONG, MALFORMED_JSON, ' +
    'FILTER_CONFLICT, AMOUNT_PRECISION, CURRENCY_MISMATCH, UNKNOWN_CURRENCY, FIELD_CONFLICT, ' +
    'CASHBOX_SELECTION_REQUIRED, NO_ELIGIBLE_CASHBOX, SAME_SOURCE_AND_DESTINATION, CATEGORY_NOT_USABLE, ' +
    'IDEMPOTENCY_KEY_REQUIRED, IF_MATCH_REQUIRED, TRACKER_HEADER_REQUIRED, EMPTY_PATCH';
  // Additions, section 0.4.
  const added = ['DUPLICATE_KEY', 'ADDRESS_NOT_ALLOWED'];
  expect([...issueCodes]).toEqual([...ofContract.split(', '), ...added]);
});
