import { expect, it } from 'vitest';
import { alternateRounds } from './alternate-rounds.js';
import type { Round } from './figures.js';

it('alternateRounds reverses the order of the two measurements from round to round, and discards the first round', async () => {
  const order: string[] = [];
  const measure = (name: string) => async (): Promise<Round> => {
    order.push(name);
    return { latenciesUs: [order.length], seconds: 1, processorMs: { server: null, postgres: null, client: null } };
  };
  const results = await alternateRounds(3, { large: measure('large'), small: measure('small') });
  expect(order).toEqual(['large', 'small', 'small', 'large', 'large', 'small', 'small', 'large']);
  const latencies = (rounds: readonly Round[]) => rounds.map(({ latenciesUs }) => latenciesUs[0]);
  expect(latencies(results.large)).toEqual([4, 5, 8]);
  expect(latencies(results.small)).toEqual([3, 6, 7]);
});
