import { errorEnvelope, movementRecord, successEnvelope } from '@centavo/contracts';
import { type ErrorCode, errorCodes } from '@centavo/contracts/calls';
import { expect, test } from 'vitest';
import { FinancialClient, isRateLimitError, isVersionConflictError } from '../index.js';
import { errorAnswer, successAnswer } from './answers.js';
import { aMovement } from './money-records.js';

const codes = Object.keys(errorCodes) as ErrorCode[];

test.each(codes)(
  'errorAnswer returns a response with the status and the envelope that the contract declares for %s',
  async (code) => {
    const answer = errorAnswer(code);
    const body: unknown = await answer.json();
    expect(answer.status).toBe(errorCodes[code].status);
    expect(errorEnvelope.parse(body)).toMatchObject({ error: { code } });
    expect(answer.headers.get('x-request-id')).toBe(errorEnvelope.parse(body).meta.requestId);
  },
);

test('errorAnswer returns a response with the headers that belong to the error code', () => {
  expect(errorAnswer('CREDENTIAL_REVOKED').headers.get('www-authenticate')).toContain('invalid_token');
  expect(errorAnswer('IDEMPOTENCY_IN_PROGRESS').headers.get('retry-after')).toBe('1');
  expect(errorAnswer('RATE_LIMITED', { retryAfterSeconds: 30 }).headers.get('retry-after')).toBe('30');
  expect(errorAnswer('NOT_FOUND').headers.has('retry-after')).toBe(false);
  expect(errorAnswer('VERSION_CONFLICT', { details: { currentEtag: '"2"' } }).headers.get('etag')).toBe('"2"');
});

test('errorAnswer returns the default details of the error code, unless the caller passes other details', async () => {
  const detailsOf = async (...parameters: Parameters<typeof errorAnswer>) =>
    (await errorAnswer(...parameters).json()).error.details;
  expect(await detailsOf('RATE_LIMITED', { retryAfterSeconds: 30 })).toMatchObject({ retryAfterSeconds: 30 });
  expect(await detailsOf('STEP_UP_REQUIRED')).toEqual({ method: 'totp', maxAgeSeconds: 600 });
  expect(await detailsOf('NOT_FOUND')).toEqual({});
  expect(await detailsOf('STATE_CONFLICT', { details: { reason: 'name_taken' } })).toEqual({ reason: 'name_taken' });
});

test('a client converts the responses of errorAnswer to its typed errors', async () => {
  const answered = (answer: () => Response) => new FinancialClient({ token: 't', fetch: async () => answer() });
  const limited = answered(() => errorAnswer('RATE_LIMITED', { retryAfterSeconds: 3600 }));
  expect(await limited.context.get().catch((error: unknown) => error)).toSatisfy(isRateLimitError);
  const conflicting = answered(() => errorAnswer('VERSION_CONFLICT', { details: { currentEtag: '"2"' } }));
  const error = await conflicting.movements
    .correct('m', { note: '' } as object, { etag: '"1"' })
    .catch((e: unknown) => e);
  expect(isVersionConflictError(error) && error.currentEtag).toBe('"2"');
});

test('successAnswer returns a response with the envelope and the given properties', async () => {
  const answer = successAnswer(aMovement(), { status: 201, etag: '"1"', replayed: true, location: '/v1/financial/x' });
  expect(answer.status).toBe(201);
  expect(Object.fromEntries(answer.headers)).toMatchObject({ etag: '"1"', location: '/v1/financial/x' });
  const { meta } = successEnvelope(movementRecord).parse(await answer.json());
  expect(meta).toMatchObject({ idempotentReplay: true, requestId: answer.headers.get('x-request-id') });
  expect(await successAnswer(undefined, { status: 204 }).text()).toBe('');
});
