import { type ErrorCode, errorCodes } from '@centavo/contracts/calls';
import { describe, expect, test, vi } from 'vitest';
import * as sdk from '../index.js';
import { errorOfAnswer } from './error-of-answer.js';

function errorOf(status: number, code: string, details: object = {}, retryAfterMs: number | null = null) {
  const text = JSON.stringify({ error: { code, message: 'Refused.', details }, meta: { requestId: 'r-1' } });
  return errorOfAnswer({ status, headers: new Headers(), text, hasToken: true, idempotencyKey: 'key-1', retryAfterMs });
}

const expectedClasses: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'ValidationError',
  UNAUTHENTICATED: 'AuthenticationError',
  CREDENTIAL_INVALID: 'AuthenticationError',
  CREDENTIAL_EXPIRED: 'AuthenticationError',
  CREDENTIAL_REVOKED: 'AuthenticationError',
  SESSION_INACTIVE: 'AuthenticationError',
  STEP_UP_REQUIRED: 'StepUpRequiredError',
  INSUFFICIENT_SCOPE: 'PermissionError',
  INSUFFICIENT_ROLE: 'PermissionError',
  TRACKER_FORBIDDEN: 'PermissionError',
  USER_SESSION_REQUIRED: 'PermissionError',
  NOT_FOUND: 'NotFoundError',
  METHOD_NOT_ALLOWED: 'FinancialApiError',
  VERSION_CONFLICT: 'VersionConflictError',
  IDEMPOTENCY_KEY_REUSED: 'IdempotencyConflictError',
  IDEMPOTENCY_IN_PROGRESS: 'IdempotencyConflictError',
  STATE_CONFLICT: 'StateConflictError',
  PAYLOAD_TOO_LARGE: 'FinancialApiError',
  UNSUPPORTED_MEDIA_TYPE: 'FinancialApiError',
  REQUEST_HEADERS_TOO_LARGE: 'FinancialApiError',
  REQUEST_TIMEOUT: 'FinancialApiError',
  RATE_LIMITED: 'RateLimitError',
  INTERNAL_ERROR: 'ServerError',
  SERVICE_UNAVAILABLE: 'ServerError',
};

describe('an API error', () => {
  test.each(Object.entries(expectedClasses))('with the code %s is a %s', (code, name) => {
    const error = errorOf(errorCodes[code as ErrorCode].status, code);
    expect(error.name).toBe(name);
    expect(sdk.isFinancialApiError(error)).toBe(true);
    expect(error).toMatchObject({ code, message: 'Refused.', requestId: 'r-1', idempotencyKey: 'key-1' });
  });

  test('exposes the fields of its details as properties', () => {
    const issues = [{ path: 'amountDecimal', code: 'REQUIRED', message: 'Send an amount.' }];
    expect(errorOf(400, 'VALIDATION_ERROR', { issues })).toMatchObject({ issues });
    expect(errorOf(409, 'VERSION_CONFLICT', { currentEtag: '"3"' })).toMatchObject({ currentEtag: '"3"' });
    expect(errorOf(409, 'STATE_CONFLICT', { reason: 'transfer_leg' })).toMatchObject({ reason: 'transfer_leg' });
    expect(errorOf(429, 'RATE_LIMITED', {}, 3_000)).toMatchObject({ retryAfterMs: 3_000 });
    const stepUp = { method: 'password', maxAgeSeconds: 600 };
    expect(errorOf(401, 'STEP_UP_REQUIRED', stepUp)).toMatchObject(stepUp);
    expect(errorOf(401, 'STEP_UP_REQUIRED', { method: 'magic' })).toMatchObject({ method: null, maxAgeSeconds: null });
  });
});

test('an error with the reason cursor_diverged or cursor_expired has its own class, and is also a StateConflictError', () => {
  for (const [reason, name] of [
    ['cursor_diverged', 'CursorDivergedError'],
    ['cursor_expired', 'CursorExpiredError'],
  ]) {
    const error = errorOf(409, 'STATE_CONFLICT', { reason, restart: true });
    expect([error.name, sdk.isStateConflictError(error)]).toEqual([name, true]);
    expect(error).toMatchObject({ reason });
  }
  expect(errorOf(409, 'STATE_CONFLICT', { reason: 'constructor' }).name).toBe('StateConflictError');
});

test('the JSON of an error with status 429 or 503 contains retryAfterMs, the time to wait before a retry', () => {
  for (const [status, code] of [
    [429, 'RATE_LIMITED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    const logged = JSON.parse(JSON.stringify(errorOf(status, code, {}, 3_000)));
    expect(logged).toMatchObject({ code, status, requestId: 'r-1', idempotencyKey: 'key-1', retryAfterMs: 3_000 });
  }
});

test('an error with an unknown code keeps this code, and has the class for its status', () => {
  expect(errorOf(403, 'TRACKER_FROZEN')).toMatchObject({ name: 'PermissionError', code: 'TRACKER_FROZEN' });
});

test.each([
  [502, 'ServerError', '<html>Bad gateway</html>'],
  [429, 'RateLimitError', ''],
  [418, 'FinancialApiError', '{"error":"teapot"}'],
])('a %i response of a proxy becomes a %s with the code UNRECOGNIZED_ANSWER', (status, name, text) => {
  const error = errorOfAnswer({
    status,
    headers: new Headers(),
    text,
    hasToken: true,
    idempotencyKey: null,
    retryAfterMs: null,
  });
  expect(error).toMatchObject({ name, status, code: 'UNRECOGNIZED_ANSWER' });
  expect(error.message).not.toContain('html');
});

test.each([400, 401, 403, 404])('a %i response of a proxy becomes a plain FinancialApiError', (status) => {
  const answer = { status, headers: new Headers(), text: '<html>', hasToken: true };
  const error = errorOfAnswer({ ...answer, idempotencyKey: null, retryAfterMs: null });
  expect(error).toMatchObject({ name: 'FinancialApiError', code: 'UNRECOGNIZED_ANSWER', status });
});

test.each(['constructor', '__proto__', 'toString'])(
  'an error with the code %s has the class for its status',
  (code) => {
    expect(errorOf(404, code)).toMatchObject({ name: 'NotFoundError', code });
  },
);

test('a ValidationError omits the malformed issues of a response', () => {
  const issue = { path: 'name', code: 'REQUIRED', message: 'Send a name.' };
  const issues = [null, 'x', { path: 1, code: 'REQUIRED', message: 'm' }, { path: 'name' }, issue];
  expect(errorOf(400, 'VALIDATION_ERROR', { issues })).toMatchObject({ issues: [issue] });
});

describe('a type guard for errors', () => {
  test('recognizes an error by its brand property, even if the error is not an instance of the class', () => {
    const brand = Symbol.for('@centavo/sdk/error');
    const foreign = Object.assign(new Error(), { [brand]: ['FinancialError', 'FinancialApiError', 'NotFoundError'] });
    expect(sdk.isNotFoundError(foreign)).toBe(true);
    expect(sdk.isFinancialApiError(foreign)).toBe(true);
    expect(sdk.isServerError(foreign)).toBe(false);
  });

  test('recognizes the errors of another loaded copy of the package', async () => {
    vi.resetModules();
    const copy = await import('../index.js');
    expect(copy.UsageError).not.toBe(sdk.UsageError);
    const foreign = await copy.FinancialClient.prototype.request
      .call(new copy.FinancialClient(), { method: 'GET', path: 'none' })
      .catch((reason: unknown) => reason);
    expect(foreign).not.toBeInstanceOf(sdk.UsageError);
    expect(sdk.isUsageError(foreign) && sdk.isFinancialError(foreign)).toBe(true);
    expect(sdk.isFinancialApiError(foreign)).toBe(false);
    expect(copy.isServerError(errorOf(500, 'INTERNAL_ERROR'))).toBe(true);
  });

  test('recognizes an error whose class extends the class of the guard', () => {
    const error = errorOf(401, 'STEP_UP_REQUIRED');
    expect(sdk.isStepUpRequiredError(error) && sdk.isAuthenticationError(error) && sdk.isFinancialError(error)).toBe(
      true,
    );
  });

  test.each([null, undefined, 'NotFoundError', {}, new Error('x')])('returns false for %j', (value) => {
    expect(sdk.isFinancialError(value)).toBe(false);
  });
});
