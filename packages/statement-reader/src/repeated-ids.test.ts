import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RepeatedIds } from './repeated-ids.js';

it('RepeatedIds finds every id that occurs twice', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('F1', 'F2', '0001'))), (ids) => {
      const repeated = new RepeatedIds();
      for (const id of ids) repeated.add(id);
      const mayRepeat = repeated.finish();
      const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect(twice.filter((id) => !mayRepeat(id))).toEqual([]);
    }),
  );
});

it('RepeatedIds reports none of a hundred thousand different ids as repeated', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => `F${index}`);
  const repeated = new RepeatedIds();
  for (const id of ids) repeated.add(id);
  expect(ids.filter(repeated.finish())).toEqual([]);
});
