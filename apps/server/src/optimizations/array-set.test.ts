import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ArraySet } from './array-set.js';

it('ArraySet contains the same items as a Set after the same additions and deletions', () => {
  const step = fc.record({ adds: fc.boolean(), item: fc.nat({ max: 8 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const items = new ArraySet<number>();
      const expected = new Set<number>();
      for (const { adds, item } of steps) {
        if (!adds) items.delete(item);
        else if (!expected.has(item)) items.add(item);
        if (adds) expected.add(item);
        else expected.delete(item);
        expect([...items].sort()).toEqual([...expected].sort());
        expect(items.size).toBe(expected.size);
        expect(items.find((found) => found === item)).toBe(expected.has(item) ? item : undefined);
      }
    }),
  );
});
