import { expect, test } from 'vitest';
import { newMovement, scriptedClient } from '../../test-support/scripted-client.js';
import { refusal, type Step, success } from '../../test-support/scripted-fetch.js';
import { isFinancialError } from '../index.js';

/** Returns numbers in [0, 1) that depend only on the seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const date = { date: 'Sat, 31 Jan 2026 12:00:00 GMT' };
/** Each fault, with the minimum and the maximum wait before the first retry; null if the call is not retried after the fault. */
const faults: readonly { readonly step: Step; readonly waitMs: readonly [number, number] | null }[] = [
  { step: 'refused', waitMs: [0, 250] },
  { step: 'reset', waitMs: [0, 250] },
  { step: 'reset-in-body', waitMs: [0, 250] },
  { step: 'not-json', waitMs: [0, 250] },
  { step: 'no-envelope', waitMs: [0, 250] },
  { step: 'hang-in-body', waitMs: null },
  { step: refusal(500, 'INTERNAL_ERROR'), waitMs: [0, 250] },
  { step: refusal(503, 'SERVICE_UNAVAILABLE', { headers: { 'retry-after': '2' } }), waitMs: [2_000, 2_500] },
  { step: refusal(429, 'RATE_LIMITED', { headers: { 'retry-after': '3' } }), waitMs: [3_000, 3_750] },
  {
    step: refusal(429, 'RATE_LIMITED', { headers: { ...date, 'retry-after': 'Saturday, 31-Jan-26 12:00:04 GMT' } }),
    waitMs: [4_000, 5_000],
  },
  {
    step: refusal(429, 'RATE_LIMITED', { headers: { ...date, 'retry-after': 'Sat Jan 31 12:00:05 2026' } }),
    waitMs: [5_000, 6_250],
  },
  { step: refusal(429, 'RATE_LIMITED'), waitMs: [1_000, 1_250] },
  { step: refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { headers: { 'retry-after': '1' } }), waitMs: [1_000, 1_250] },
  { step: refusal(409, 'VERSION_CONFLICT'), waitMs: null },
  { step: { status: 302, headers: { location: 'https://evil.example/' } }, waitMs: null },
];

const seeds = Array.from({ length: 20 }, (_, seed) => seed);
const scripts = faults.flatMap((first) => [first, ...faults.slice(0, 3)].map((second) => ({ first, second })));

test(`in ${scripts.length} sequences of two faults with ${seeds.length} seeds, all attempts of a write have one key and body, and the first wait is in the range for its fault`, async () => {
  for (const { first, second } of scripts) {
    for (const seed of seeds) {
      const steps = [first.step, second.step, success({ id: 'm' })];
      const { client, clock, sent } = scriptedClient({ steps, random: seeded(seed) });
      const result = await clock.settle(client.movements.create(newMovement)).catch((error: unknown) => error);
      expect(new Set(sent.map((request) => request.headers['idempotency-key']))).toEqual(new Set(['key-1']));
      expect(new Set(sent.map((request) => request.body)).size).toBe(1);
      const waitedMs = sent.length > 1 ? (sent[1]?.atMs ?? 0) - (sent[0]?.atMs ?? 0) : null;
      if (first.waitMs === null) expect(waitedMs).toBeNull();
      else {
        expect(waitedMs).toBeGreaterThanOrEqual(first.waitMs[0]);
        expect(waitedMs).toBeLessThanOrEqual(first.waitMs[1]);
      }
      const succeeded = sent.length === 3;
      if (succeeded) expect(result).toEqual({ id: 'm' });
      else expect(isFinancialError(result)).toBe(true);
      expect(clock.elapsedMs()).toBeLessThanOrEqual(30_000);
      expect(clock.pending).toBe(0);
    }
  }
});

test('the client sends fewer than 1.2 requests per call on average, even if the connection resets in 239 requests in a row', async () => {
  const random = seeded(7);
  const calls = 1_000;
  const steps: Step[] = Array.from({ length: calls * 4 }, (_, index) =>
    index > 400 && index < 640 ? 'reset' : random() < 0.02 ? refusal(503, 'SERVICE_UNAVAILABLE') : success({ id: 'm' }),
  );
  const { client, clock, sent } = scriptedClient({ steps, random });
  for (let call = 0; call < calls; call += 1) {
    await clock.settle(client.movements.create(newMovement)).catch(() => {});
  }
  expect(sent.length / calls).toBeLessThan(1.2);
});
