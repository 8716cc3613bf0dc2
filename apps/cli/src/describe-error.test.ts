import {
  AuthenticationError,
  ConnectionError,
  FinancialApiError,
  IdempotencyConflictError,
  InvalidSecretError,
  MalformedAnswerError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  ServerError,
  StateConflictError,
  StepUpRequiredError,
  TimeoutError,
  ValidationError,
  VersionConflictError,
} from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { describeError } from './describe-error.js';
import { InterruptedError } from './errors.js';

const responseWith = (status: number, code = 'X') => ({
  message: 'Refused.',
  code,
  status,
  requestId: 'c0ffee00',
  details: {},
  headers: new Headers(),
  idempotencyKey: 'key-1',
  retryAfterMs: null,
});
const lost = { message: 'Gone.', idempotencyKey: 'key-1' };

describe('describeError for an error response of the server', () => {
  it.each([
    new AuthenticationError(responseWith(401)),
    new StepUpRequiredError(responseWith(401)),
    new PermissionError(responseWith(403, 'INSUFFICIENT_SCOPE')),
    new PermissionError(responseWith(403, 'INSUFFICIENT_ROLE')),
    new PermissionError(responseWith(403, 'TRACKER_FORBIDDEN')),
    new PermissionError(responseWith(403, 'USER_SESSION_REQUIRED')),
    new PermissionError(responseWith(403, 'SOMETHING_NEW')),
    new NotFoundError(responseWith(404)),
    new ValidationError(responseWith(400)),
    new VersionConflictError(responseWith(409)),
    new IdempotencyConflictError(responseWith(409, 'IDEMPOTENCY_KEY_REUSED')),
    new StateConflictError(responseWith(409)),
    new RateLimitError(responseWith(429)),
    new ServerError(responseWith(500)),
    new FinancialApiError(responseWith(418)),
  ])('returns a remedy and the request id: %s', (error) => {
    const lines = describeError(error).join('\n');
    expect(lines).toMatch(/^ {2}try: \S/m);
    expect(lines).toContain('request id: c0ffee00');
  });
});

describe('describeError for a conflict', () => {
  it.each(['transfer_leg', 'name_taken', 'limit_reached', 'not_active', 'webhook_disabled', 'last_owner'])(
    'returns a specific remedy for the reason %s, without the name of the reason',
    (reason) => {
      const remedy = describeError(new StateConflictError({ ...responseWith(409), details: { reason } })).join('\n');
      expect(remedy).toMatch(/^ {2}try: \S/m);
      expect(remedy).not.toMatch(/Look at what is there now|_/);
    },
  );

  it('returns, for the reason limit_reached, a remedy that names the record types with a limit, such as budgets', () => {
    const remedy = describeError(
      new StateConflictError({ ...responseWith(409), details: { reason: 'limit_reached' } }),
    );
    for (const kind of [
      'credential',
      'webhook',
      'tracker',
      'invitation',
      'Accounts',
      'cashboxes',
      'categories',
      'budgets',
    ])
      expect(remedy.join('\n')).toContain(kind);
  });
});

it('describeError lists invalid fields by name, and does not mention details.issues', () => {
  const issues = [{ path: 'amountDecimal', code: 'REQUIRED', message: 'Send one.' }];
  const message = 'The request is not valid: amountDecimal. Correct the fields named in details.issues.';
  expect(describeError(new ValidationError({ ...responseWith(400), message, details: { issues } }))).toEqual([
    'The request is not valid.',
    '  amountDecimal: Send one.',
    expect.stringContaining('try: '),
    expect.stringContaining('request id: '),
  ]);
});

it('describeError returns the seconds to wait after a 503 response, and does not mention Retry-After', () => {
  const message = 'The service is temporarily unavailable. Wait for the time in Retry-After, then repeat the request.';
  const lines = describeError(new ServerError({ ...responseWith(503), message, retryAfterMs: 1_000 })).join('\n');
  expect(lines).toContain('The service is temporarily unavailable.\n');
  expect(lines).not.toContain('Retry-After');
  expect(lines).toContain('Repeat the command in 1 s with --idempotency-key key-1');
});

it('describeError returns the message and one remedy for an API key with a wrong checksum', () => {
  const error = new InvalidSecretError('The API key is mistyped or cut off: its checksum is wrong');
  expect(describeError(error)).toEqual([error.message, '  try: Copy the secret again.']);
});

describe('describeError', () => {
  it.each([
    new ConnectionError(lost),
    new MalformedAnswerError(lost),
    new TimeoutError(lost),
    new InvalidSecretError('A character is wrong.'),
    new TypeError('x is undefined'),
    Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }),
    'a text that was thrown',
  ])('returns a remedy: %s', (error) => {
    expect(describeError(error).join('\n')).toMatch(/^ {2}try: \S/m);
  });

  it('returns the idempotency key of a write that may have been recorded, but not of a rejected write', () => {
    expect(describeError(new OutcomeUnknownError(lost)).join('\n')).toContain('--idempotency-key key-1');
    expect(describeError(new ServerError(responseWith(503))).join('\n')).toContain('--idempotency-key key-1');
    expect(describeError(new InterruptedError('key-1')).join('\n')).toContain('--idempotency-key key-1');
    expect(describeError(new ValidationError(responseWith(400))).join('\n')).not.toContain('key-1');
  });
});
