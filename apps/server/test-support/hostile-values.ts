/**
 * Values that a careless parser accepts: wrong types, boundary values of numbers and dates, and strings that other programs interpret.
 */
export const hostileValues: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null], { toString: 1 }, { $ne: null }],
  ...[
    '',
    ' ',
    '0',
    '-0',
    '00',
    '1e5',
    'NaN',
    'Infinity',
    '٣',
    '１２',
    '1,5',
    '999999999999999.9999',
    '1000000000000000',
  ],
  ...['0.00001', 'today', 'infinity', '2026-02-30', '0000-01-01', '9999-12-31', '10000-01-01', '2026-1-1', '-1.00'],
  ...['cat_unknown', '__proto__', 'constructor', "'; drop table app.movements; --", '%00', '%', '\u0000', 'a\u0000b'],
  ...['\ud800', '\udc00x', '\u202e', '\ufeff', '\u0085', 'ﷺ'.repeat(200), '💶'.repeat(200), 'x'.repeat(10_000)],
  ...['00000000-0000-0000-0000-000000000000', '{"a":1}', '<script>', '../../etc/passwd', '\r\nX: y', 'e\u0301'],
];
