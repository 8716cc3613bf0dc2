import { expect, it } from 'vitest';
import { compareTexts, matchRows, normalizeText } from './match-rows.js';

const texts = (...all: string[]) => all.map((text) => ({ text }));
const match = (rows: string[], movements: string[]) =>
  [...matchRows(texts(...rows), texts(...movements))].map(([row, movement]) => `${row.text} = ${movement.text}`);

it('matchRows matches each movement with at most one row', () => {
  expect(match(['Coffee', 'Coffee', 'Coffee'], ['COFFEE', 'Coffee'])).toEqual(['Coffee = COFFEE', 'Coffee = Coffee']);
});

it('matchRows matches equal texts before similar texts, whatever the order of the rows', () => {
  expect(match(['Coffee Bar', 'Coffee'], ['Coffee', 'Coffee Bar Leeds'])).toEqual([
    'Coffee = Coffee',
    'Coffee Bar = Coffee Bar Leeds',
  ]);
});

it('matchRows does not match rows with different texts', () => {
  expect(match(['Grocer', 'Baker'], ['Baker', 'Butcher'])).toEqual(['Baker = Baker']);
});

it.each([
  ['Grocer', 'GROCER'],
  ['Café, Zürich', 'cafe zurich'],
  ['Grocer Ltd. London', 'London GROCER*LTD'],
  ['', '***'],
])('compareTexts treats %j and %j as equal', (one, other) => {
  expect(compareTexts(one, other)).toBe(1);
  expect(normalizeText(one)).toBe(normalizeText(other));
});

it.each([
  ['Grocer', 'Grocer Ltd London'],
  ['GROCER LTD LONDON ROA', 'Grocer Ltd London Road Branch'],
  ['Card purchase Grocer Ltd', 'GROCER LTD LONDON GB 4711'],
  ['Salary', ''],
  ['食料品店', '食料品店 東京'],
])('compareTexts treats %j and %j as similar', (one, other) => {
  const fit = compareTexts(one, other);
  expect(fit).toBe(compareTexts(other, one));
  expect(fit).toBeGreaterThan(0);
  expect(fit).toBeLessThan(1);
});

it.each([
  ['Grocer', 'Baker'],
  ['Tea', 'Steakhouse'],
  ['Card purchase Grocer London', 'Card refund Baker Leeds'],
  ['Row 1', 'Row 2'],
  ['Transfer 20260113', 'Rent 20260114'],
])('compareTexts treats %j and %j as different', (one, other) => {
  expect(compareTexts(one, other)).toBe(0);
});
