import {
  ConnectionError,
  FinancialApiError,
  InvalidSecretError,
  OutcomeUnknownError,
  StepUpRequiredError,
  TimeoutError,
} from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { InterruptedError, NotLoggedInError, UnknownNameError, UsageError } from './errors.js';
import { exitCodeOf } from './exit-codes.js';

const apiFields = (status: number) => ({
  message: 'Refused.',
  code: 'X',
  status,
  requestId: null,
  details: {},
  headers: new Headers(),
  idempotencyKey: null,
  retryAfterMs: null,
});
const transportFields = { message: 'Gone.', idempotencyKey: 'key' };

describe('exitCodeOf', () => {
  it.each([
    [400, 2],
    [401, 3],
    [403, 4],
    [404, 5],
    [408, 9],
    [409, 6],
    [413, 2],
    [415, 2],
    [429, 7],
    [431, 2],
    [500, 8],
    [501, 8],
    [503, 8],
    [418, 1],
  ])('maps status %i to exit code %i', (status, code) => {
    expect(exitCodeOf(new FinancialApiError(apiFields(status)))).toBe(code);
  });

  it.each([
    [400, 9],
    [401, 9],
    [404, 9],
    [429, 7],
    [502, 8],
  ])('maps an unrecognized response with status %i to exit code %i', (status, code) => {
    const error = new FinancialApiError({ ...apiFields(status), code: 'UNRECOGNIZED_ANSWER' });
    expect(exitCodeOf(error)).toBe(code);
  });

  it.each([
    [new UsageError('x'), 2],
    [new NotLoggedInError('x'), 3],
    [new InvalidSecretError('x'), 3],
    [new StepUpRequiredError(apiFields(401)), 3],
    [new UnknownNameError('x'), 5],
    [new ConnectionError(transportFields), 9],
    [new TimeoutError(transportFields), 9],
    [new OutcomeUnknownError(transportFields), 9],
    [new InterruptedError(), 130],
    [new Error('x'), 1],
  ])('maps %s to exit code %i', (error, code) => {
    expect(exitCodeOf(error)).toBe(code);
  });
});
