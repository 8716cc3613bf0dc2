import { expect, it } from 'vitest';
import { takeTurns } from './alternate-rounds.js';
import type { Round } from './figures.js';

it('alternates the order in each round, and discards the first round', async () => {
  const order: string[] = [];
  const taker = (name: string) => async (): Promise<Round> => {
    order.push(name);
    return { latenciesUs: [order.length], seconds: 1, processorMs: { server: null, postgres: null, client: null } };
  };
  const taken = await takeTurns(3, { large: taker('large'), small: taker('small') });
  expect(order).toEqual(['large', 'small', 'small', 'large', 'large', 'small', 'small', 'large']);
  const latencies = (rounds: readonly Round[]) => rounds.map(({ latenciesUs }) => latenciesUs[0]);
  expect(latencies(taken.large)).toEqual([4, 5, 8]);
  expect(latencies(taken.small)).toEqual([3, 6, 7]);
});
