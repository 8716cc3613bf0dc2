import { expect, it } from 'vitest';
import { headerDictionary, kindHeaders, vagueDirectionHeaders } from './header-names.js';

const directionHeaders = headerDictionary.direction;

/**
 * Vague direction headers that are not kind headers: a column "Sign" or "Flow" has signs or words for the direction, but no kinds of
 * transactions such as `Withdrawal` or `Fee`.
 */
const exceptions: ReadonlySet<string> = new Set(['sign', 'flow']);

it.each([...vagueDirectionHeaders])(
  'the vague direction header "%s" is a direction header of the dictionary',
  (header) => {
    expect(directionHeaders).toContain(header);
  },
);

it.each([...vagueDirectionHeaders])('the vague direction header "%s" is a kind header or an exception', (header) => {
  expect(kindHeaders.has(header)).toBe(!exceptions.has(header));
});

it('each direction header of the dictionary that is a kind header is a vague direction header', () => {
  const kinds = directionHeaders.filter((header) => kindHeaders.has(header));
  expect(kinds.filter((header) => !vagueDirectionHeaders.has(header))).toEqual([]);
});
