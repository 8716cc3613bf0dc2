import { expect, it } from 'vitest';
import { compareTexts, normalizeText } from './compare-texts.js';

it.each([
  ['Grocer', 'GROCER'],
  ['Café, Zürich', 'cafe zurich'],
  ['Grocer Ltd. London', 'London GROCER*LTD'],
  ['', '***'],
])('takes %j and %j for equal', (one, other) => {
  expect(compareTexts(one, other)).toBe(1);
  expect(normalizeText(one)).toBe(normalizeText(other));
});

it.each([
  ['Grocer', 'Grocer Ltd London'],
  ['GROCER LTD LONDON ROA', 'Grocer Ltd London Road Branch'],
  ['Card purchase Grocer Ltd', 'GROCER LTD LONDON GB 4711'],
  ['Salary', ''],
  ['食料品店', '食料品店 東京'],
])('takes %j and %j for similar', (one, other) => {
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
])('takes %j and %j for different', (one, other) => {
  expect(compareTexts(one, other)).toBe(0);
});
