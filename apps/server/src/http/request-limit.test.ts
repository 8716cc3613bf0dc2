import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import type { Principal } from '../auth/principal.js';
import { RequestLimit } from './request-limit.js';

const principal = { type: 'user', id: 'u1' } as Principal;

function openLimit(isAllowed: boolean) {
  let consumed = 0;
  const headersAdded: unknown[] = [];
  const rateLimit = { policy: 'writes', limit: 300, windowSeconds: 60 } as const;
  const limiter = {
    consumeForPrincipal: async () => {
      consumed += 1;
      return { rateLimit, isAllowed, remaining: 0, nextTokenSeconds: 1, retryAfterSeconds: 1 };
    },
    consumeForAddress: async () => null,
    peekForFailure: async () => null,
    consumeForFailure: async () => null,
  };
  const limit = new RequestLimit({
    limiter,
    call: calls.createMovement,
    addHeaders: (headers) => headersAdded.push(headers),
  });
  return { limit, consumed: () => consumed, headersAdded };
}

test('RequestLimit consumes one token for a request even if its transaction is retried', async () => {
  const { limit, consumed } = openLimit(true);
  await limit.consume(principal, 1);
  await limit.consume(principal, 1);
  expect(consumed()).toBe(1);
});

test('RequestLimit adds the rate-limit headers before it refuses a request', async () => {
  const { limit, headersAdded } = openLimit(false);
  await expect(limit.consume(principal, 1)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': '1' },
  });
  expect(headersAdded).toEqual([{ 'RateLimit-Policy': '"writes";q=300;w=60', RateLimit: '"writes";r=0;t=1' }]);
});
