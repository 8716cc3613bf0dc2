import { aSecret } from '@centavo/sdk/testing';
import { describe, expect, it } from 'vitest';
import { findFault, type Shape } from './shape.js';

const kinds: readonly (readonly [kind: Shape & string, good: readonly unknown[], bad: readonly unknown[]])[] = [
  ['text', ['', 'a\u001b'], [null, 7, {}, []]],
  ['id', ['cat_unknown', '0199c5a0-7d3e-7c1a-9f00-2b6d1f6a0e11'], ['', '..', '../x', 'a/b', 'a b', 'a\n', '\ud800', 7]],
  ['secret', [aSecret()], ['centavo_live_', `${aSecret()}\u001b`, 'hunter2', 7]],
  [
    'webhookSecret',
    [`whsec_${'A'.repeat(43)}=`],
    ['whsec_', `whsec_${'A'.repeat(43)}`, `whsec_${'A'.repeat(43)}=\u001b`, 'hunter2', 7],
  ],
  ['totpSeed', ['JBSWY3DPEHPK3PXP'], ['jbswy3dpehpk3pxp', 'JBSWY3DPEHPK3PXP\u001b', 7]],
  [
    'totpUri',
    ['otpauth://totp/Centavo?secret=A'],
    ['https://x', 'otpauth://totp/a\u001b', `otpauth://totp/${'a'.repeat(4_001)}`],
  ],
  ['time', ['2026-01-01T00:00:00.000Z'], ['2026-01-01', '2026-13-01T00:00:00Z', '', 7]],
  ['date', ['2026-01-31'], ['2026-13-01', '2026-01-01T00:00:00Z', 'tomorrow', 7]],
  ['amount', ['12.50', '-0.001', '500'], ['', '1,5', '1e9', 'NaN', 12.5]],
  ['currency', ['EUR', 'JPY'], ['eur', 'XXQ', '', null]],
  ['number', [0, 3], [1.5, Number.NaN, '3']],
  ['flag', [true, false], ['true', 0, null]],
  ['nothing', [undefined], [null, {}]],
];

describe('findFault for a field', () => {
  it.each(kinds)(
    'returns no fault for valid values of the kind %s, and a fault for invalid values',
    (kind, good, bad) => {
      for (const value of good) expect({ value, fault: findFault(kind, value) }).toEqual({ value, fault: undefined });
      for (const value of bad)
        expect({ value, fault: findFault(kind, value) }).toEqual({ value, fault: expect.any(String) });
    },
  );

  it('returns no fault for null in a field of the kind "text?", and a fault in a field of the kind "text"', () => {
    expect(findFault('text?', null)).toBeUndefined();
    expect(findFault('text', null)).toBe('data is not a string');
  });
});

describe('findFault for a record', () => {
  const shape: Shape = { name: 'text', lines: [{ plan: { count: 'number' } }] };

  it.each([
    [
      { name: 'a', lines: [{ plan: { count: 1 } }, { plan: { count: '1' } }] },
      'data.lines[1].plan.count is not a whole number',
    ],
    [{ name: 'a', lines: {} }, 'data.lines is not a list'],
    [{ name: 'a', lines: [null] }, 'data.lines[0] is not a record'],
    [{ lines: [] }, 'data.name is missing'],
    [[], 'data is not a record'],
    [undefined, 'data is not a record'],
  ])('returns the path and the reason of the first fault in %j: %s', (value, fault) => {
    expect(findFault(shape, value)).toBe(fault);
  });

  it('accepts fields that the shape does not name', () => {
    expect(findFault(shape, { name: 'a', lines: [], added: { later: true } })).toBeUndefined();
  });

  it('reports a field as missing if only the prototype of the record has it', () => {
    expect(findFault(JSON.parse('{"constructor":"text"}') as Shape, {})).toBe('data.constructor is missing');
  });
});
