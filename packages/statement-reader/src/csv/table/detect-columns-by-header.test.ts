import { expect, it } from 'vitest';
import { detectColumnsByHeader } from './detect-columns-by-header.js';

it.each(['Основание', 'Paaiškinimai', 'Security Description'])(
  'detectColumnsByHeader returns the column "%s" as the description',
  (header) => {
    expect(detectColumnsByHeader(['Date', header, 'Amount'], new Set())).toMatchObject({ description: header });
  },
);

it('detectColumnsByHeader returns the date and the direction column of Icelandic headers', () => {
  const headers = ['Dagsetning', 'Tilvísun', 'Skýring', 'Tegund', 'Upphæð'];
  expect(detectColumnsByHeader(headers, new Set())).toEqual({
    date: 'Dagsetning',
    description: 'Skýring',
    direction: 'Tegund',
    amount: 'Upphæð',
  });
});

it.each([
  ['Payout date', ['Check-in date', 'Payout date', 'Net amount']],
  ['Transaction creation date', ['Transaction creation date', 'Payout date', 'Net amount']],
  ['Transaction Date', ['Payout Date', 'Transaction Date', 'Amount']],
])('detectColumnsByHeader returns the column "%s" as the date: %j', (date, headers) => {
  expect(detectColumnsByHeader(headers, new Set())).toMatchObject({ date });
});
