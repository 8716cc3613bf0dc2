import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OccurrenceCounter } from './occurrence-counter.js';

it('OccurrenceCounter returns the same counts as a Map, even when it grows', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 300 }), { maxLength: 1000 }), (rows) => {
      const counter = new OccurrenceCounter(2);
      const expected = new Map<number, number>();
      for (const row of rows) {
        expected.set(row, (expected.get(row) ?? 0) + 1);
        const hash = createHash('sha256').update(String(row)).digest('hex');
        expect(counter.count(hash)).toBe(expected.get(row));
      }
    }),
  );
});
