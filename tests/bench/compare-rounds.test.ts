import { describe, expect, it } from 'vitest';
import { compareRounds } from './compare-rounds.js';
import type { ProcessorMs, Round } from './figures.js';

const roundWith = (latencyUs: number, processorMs: Partial<ProcessorMs> = {}): Round => ({
  // The median is `latencyUs`, although one request is much slower.
  latenciesUs: [1, latencyUs, 1_000_000],
  seconds: 1,
  processorMs: { server: 1, postgres: 1, client: 100, ...processorMs },
});

describe('the growth ratio (large data divided by small data)', () => {
  it('is the median over all pairs of rounds; neither a slow pair nor a machine that becomes slower changes it', () => {
    const large = [1200, 9000, 2600, 6200, 8000].map((latencyUs) => roundWith(latencyUs));
    const small = [1000, 1000, 2000, 5000, 10_000].map((latencyUs) => roundWith(latencyUs));
    const { ratios, ...figures } = compareRounds({ large, small });
    expect(ratios.p50).toEqual({ median: 1.24, lowerQuartile: 1.2, upperQuartile: 1.3 });
    expect([figures.large.p50Ms, figures.small.p50Ms]).toEqual([6.2, 2]);
  });

  it('is computed from the measurements, not from rounded values', () => {
    const { ratios } = compareRounds({ large: [roundWith(104)], small: [roundWith(96)] });
    expect(ratios.p50.median).toBe(1.08);
  });

  it('of the CPU time includes the server and PostgreSQL, but not the client', () => {
    const large = [roundWith(1, { server: 3, postgres: 1.005, client: 900 })];
    const small = [roundWith(1, { server: 1, postgres: 2 })];
    expect(compareRounds({ large, small }).ratios.processor?.median).toBe(1.34);
  });

  it.each([{ server: null }, { postgres: null }])('of the CPU time is null if one part is unknown: %j', (unknown) => {
    const [known, other] = [roundWith(3000), roundWith(2000, unknown)];
    expect(compareRounds({ large: [known], small: [other] }).ratios).toMatchObject({
      p50: { median: 1.5 },
      processor: null,
    });
  });

  it('cannot be computed without rounds, or if a round on large data has no round on small data', () => {
    expect(() => compareRounds({ large: [], small: [] })).toThrow('A median needs at least one value');
    expect(() => compareRounds({ large: [roundWith(1), roundWith(1)], small: [roundWith(1)] })).toThrow(
      'Each round on large data needs a round on small data',
    );
  });
});
