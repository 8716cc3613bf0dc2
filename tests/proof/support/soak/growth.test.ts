import { describe, expect, it } from 'vitest';
import { fitSlope, medianOf, quarterOf } from './growth.js';

describe('the growth of a series', () => {
  it('is the slope of the line through its points, even if the points are scattered around the line', () => {
    const points = [0, 1, 2, 3].map((x) => ({ x, y: 5 + 2 * x }));
    expect(fitSlope(points)).toBe(2);
    const scattered = points.map(({ x, y }) => ({ x, y: y + (x === 1 || x === 2 ? 4 : 0) }));
    expect(fitSlope(scattered)).toBe(2);
  });

  it('is 0 for a single point', () => {
    expect(fitSlope([{ x: 3, y: 7 }])).toBe(0);
  });

  it('is computed from four quarters, which together contain each value exactly once', () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
    const quarters = ([1, 2, 3, 4] as const).map((quarter) => quarterOf(items, quarter));
    expect(quarters.flat()).toEqual(items);
    expect(quarters[0]).toEqual([1, 2]);
    expect(() => quarterOf([1, 2, 3], 1)).toThrow('3 values have no quarters.');
  });

  it('is computed from medians, so that an outlier has no effect', () => {
    expect(medianOf([3, 1000, 2])).toBe(3);
    expect(medianOf([4, 3, 1, 2])).toBe(2);
  });
});
