import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import type { Principal } from '../auth/principal.js';
import { RequestLimit } from './operation.js';

const principal = { type: 'user', id: 'u1' } as Principal;

function openLimit(isAllowed: boolean) {
  let spent = 0;
  const announced: unknown[] = [];
  const rateLimit = { policy: 'writes', limit: 300, windowSeconds: 60 } as const;
  const limiter = {
    consumeForPrincipal: async () => {
      spent += 1;
      return { rateLimit, isAllowed, remaining: 0, nextTokenSeconds: 1 };
    },
    consumeForAddress: async () => null,
    peekForFailure: async () => null,
    consumeForFailure: async () => null,
  };
  const limit = new RequestLimit({
    limiter,
    call: calls.createMovement,
    announce: (headers) => announced.push(headers),
  });
  return { limit, spent: () => spent, announced };
}

test('consumes one token for a request, however often its transaction is retried', async () => {
  const { limit, spent } = openLimit(true);
  await limit.consume(principal);
  await limit.consume(principal);
  expect(spent()).toBe(1);
});

test('announces the limit before it refuses a request', async () => {
  const { limit, announced } = openLimit(false);
  await expect(limit.consume(principal)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    headers: { 'Retry-After': '1' },
  });
  expect(announced).toEqual([{ 'RateLimit-Policy': '"writes";q=300;w=60', RateLimit: '"writes";r=0;t=1' }]);
});
