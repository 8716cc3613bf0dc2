import { describe, expect, it } from 'vitest';
import { type Figures, median, percentile, type Round, ratioOf, summarize } from './figures.js';

const round = (options: { readonly latenciesUs: readonly number[]; readonly seconds: number }): Round => ({
  ...options,
  processorMs: { server: 3, postgres: 6, client: null },
});

describe('a median', () => {
  it('is the middle value, in any order of the values', () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4])).toBe(4);
  });

  it('of an even number of values is the mean of the two in the middle', () => {
    expect(median([1, 4, 2, 100])).toBe(3);
  });

  it('of no values throws an error', () => {
    expect(() => median([])).toThrow('A median needs at least one value');
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is one of the values, and at least the given share of the values is at or below it', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([1, 1000], 0.99)).toBe(1000);
  });

  it('sorts its values as numbers, not as text', () => {
    expect(percentile([9, 10, 100], 0.5)).toBe(10);
  });

  it('of no values throws an error', () => {
    expect(() => percentile([], 0.5)).toThrow('A percentile needs at least one value');
  });
});

describe('the summary of rounds', () => {
  it('is the median of each metric over the rounds, so that one disturbed round changes nothing', () => {
    const calm = round({ latenciesUs: [1000, 2000, 3000], seconds: 1 });
    const faster = round({ latenciesUs: [1000, 1500, 3000, 3000], seconds: 1 });
    const disturbed = round({ latenciesUs: [900_000], seconds: 1 });
    expect(summarize([disturbed, calm, faster])).toEqual({
      perSecond: 3,
      p50Ms: 2,
      p99Ms: 3,
      processorUs: { server: 1000, postgres: 2000, client: null },
      perSecondOfRounds: [1, 3, 4],
    });
  });

  it('uses the actual duration of a round, not the planned duration', () => {
    expect(summarize([round({ latenciesUs: [1, 2, 3, 4], seconds: 2 })]).perSecond).toBe(2);
  });

  it('yields a ratio: the rate of Centavo divided by the rate of pgbench', () => {
    const at = (perSecond: number) => ({ perSecond }) as Figures;
    expect(ratioOf({ centavo: at(423), reference: at(1000) })).toBe(0.42);
  });
});
