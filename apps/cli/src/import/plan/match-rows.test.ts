import { expect, it } from 'vitest';
import { matchRows } from './match-rows.js';

const texts = (...all: string[]) => all.map((text) => ({ text }));
const match = (rows: string[], movements: string[]) =>
  [...matchRows(texts(...rows), texts(...movements))].map(([row, movement]) => `${row.text} = ${movement.text}`);

it('gives each movement to one row', () => {
  expect(match(['Coffee', 'Coffee', 'Coffee'], ['COFFEE', 'Coffee'])).toEqual(['Coffee = COFFEE', 'Coffee = Coffee']);
});

it('matches equal texts before similar ones, whatever their order', () => {
  expect(match(['Coffee Bar', 'Coffee'], ['Coffee', 'Coffee Bar Leeds'])).toEqual([
    'Coffee = Coffee',
    'Coffee Bar = Coffee Bar Leeds',
  ]);
});

it('leaves rows of other texts alone', () => {
  expect(match(['Grocer', 'Baker'], ['Baker', 'Butcher'])).toEqual(['Baker = Baker']);
});
