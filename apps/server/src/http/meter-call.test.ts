import { calls } from '@centavo/contracts';
import { expect, test } from 'vitest';
import type { Principal } from '../access/principal.js';
import { meterCall } from './meter-call.js';

const principal = { type: 'user', id: 'u1' } as Principal;

function openMeter(isAllowed: boolean) {
  let spent = 0;
  const announced: unknown[] = [];
  const rateLimit = { policy: 'writes', limit: 300, windowSeconds: 60 } as const;
  const limiter = {
    spendCall: async () => {
      spent += 1;
      return { rateLimit, isAllowed, remaining: 0, nextTokenSeconds: 1 };
    },
    spendAnonymous: async () => null,
    lookForFailure: async () => null,
    spendFailure: async () => null,
  };
  const meter = meterCall({ limiter, call: calls.createMovement, announce: (headers) => announced.push(headers) });
  return { meter, spent: () => spent, announced };
}

test('a request takes one token, however often its transaction is run again', async () => {
  const { meter, spent } = openMeter(true);
  await meter(principal);
  await meter(principal);
  expect(spent()).toBe(1);
});

test('a refused request is told where it stands before it is refused', async () => {
  const { meter, announced } = openMeter(false);
  await expect(meter(principal)).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
  expect(announced).toEqual([{ 'RateLimit-Policy': '"writes";q=300;w=60', RateLimit: '"writes";r=0;t=1' }]);
});
