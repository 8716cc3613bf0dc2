import { describe, expect, it } from 'vitest';
import { costRatios, type Figures, median, percentile, type Round, ratioOf, summarize } from './figures.js';

const round = (options: { readonly latenciesUs: readonly number[]; readonly seconds: number }): Round => ({
  ...options,
  processorMs: { server: 3, postgres: 6, client: null },
});

describe('a median', () => {
  it('is the middle value, however the values are ordered', () => {
    expect(median([10, 9, 100])).toBe(10);
    expect(median([4])).toBe(4);
  });

  it('of an even number of values is the mean of the two in the middle', () => {
    expect(median([1, 4, 2, 100])).toBe(3);
  });

  it('of nothing is refused rather than not a number', () => {
    expect(() => median([])).toThrow('no median of nothing');
  });
});

describe('a percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it('is a value that was seen, and that so many do not exceed', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
    expect(percentile([1, 1000], 0.99)).toBe(1000);
  });

  it('sorts by value, not as text', () => {
    expect(percentile([9, 10, 100], 0.5)).toBe(10);
  });

  it('of nothing is refused', () => {
    expect(() => percentile([], 0.5)).toThrow('no percentile of nothing');
  });
});

describe('the summary of rounds', () => {
  it('is the median round of each figure, so that one disturbed round changes nothing', () => {
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

  it('counts the seconds that a round took, not those that it was to take', () => {
    expect(summarize([round({ latenciesUs: [1, 2, 3, 4], seconds: 2 })]).perSecond).toBe(2);
  });

  it('tells rates of which Centavo reaches a share', () => {
    const at = (perSecond: number) => ({ perSecond }) as Figures;
    expect(ratioOf({ centavo: at(423), reference: at(1000) })).toBe(0.42);
  });
});

describe('what growth costs', () => {
  const turn = (latencyUs: number, processorMs: number | null = 1): Round => ({
    latenciesUs: [latencyUs],
    seconds: 1,
    processorMs: { server: processorMs, postgres: processorMs, client: 100 },
  });

  it('is the median over the turns, so that a machine that was slow for one turn, or slower and slower, counts for nothing', () => {
    const large = [turn(1200, 3), turn(9000, 3), turn(2600, 6), turn(6200, 14), turn(8000, 16)];
    const small = [turn(1000, 2), turn(1000, 2), turn(2000, 4), turn(5000, 10), turn(10_000, 20)];
    expect(costRatios(large, small)).toEqual({ p50: 1.24, processor: 1.5 });
  });

  it('is told without processor time where the system does not tell it', () => {
    expect(costRatios([turn(3000, null)], [turn(2000)])).toEqual({ p50: 1.5, processor: null });
  });

  it('is not told of nothing', () => {
    expect(() => costRatios([], [])).toThrow('no median of nothing');
  });
});
