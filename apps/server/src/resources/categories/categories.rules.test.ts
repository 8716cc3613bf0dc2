import { createCategoryBody } from '@centavo/contracts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { summarizeThrown } from '../../../test-support/thrown-api-error.js';
import { decideCategory, type ExistingCategories, foldName } from './categories.rules.js';
import type { CategoryRow } from './categories.view.js';

const parentOf = (scope: CategoryRow['scope'], fields: Partial<CategoryRow> = {}): CategoryRow => ({
  id: 'cat_parent',
  scope,
  tracker_id: scope === 'tracker' ? 't' : null,
  user_id: scope === 'user' ? 'u' : null,
  name: 'Parent',
  kind: 'any',
  parent_id: null,
  status: 'active',
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: '1970-01-01T00:00:00.000Z',
  ...fields,
});

const decide = (fields: object = {}, facts: { parent?: CategoryRow | null; existing?: ExistingCategories } = {}) =>
  decideCategory({
    body: createCategoryBody.parse({ name: 'Food', ...fields }),
    id: 'cat_1',
    trackerId: 't',
    userId: 'u',
    parent: undefined,
    existing: { count: 0, idWithName: null },
    ...facts,
  });
const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

test('decideCategory returns a category of the tracker with the kind "any" when the body contains neither scope nor kind', () => {
  expect(decide()).toEqual({
    id: 'cat_1',
    scope: 'tracker',
    trackerId: 't',
    userId: null,
    name: 'Food',
    nameFolded: 'food',
    kind: 'any',
    parentId: null,
  });
});

// @proves spec, Catalog, accounts, balances: POST · /categories
test('decideCategory returns a user-wide category with a user id and without a tracker id', () => {
  expect(decide({ scope: 'user', kind: 'income' })).toMatchObject({
    scope: 'user',
    trackerId: null,
    userId: 'u',
    kind: 'income',
  });
});

describe('decideCategory with a parent', () => {
  const child = { parentId: 'cat_parent' };

  test('throws NOT_FOUND when the caller does not see the parent', () => {
    expect(refused(child, { parent: null })).toEqual({ code: 'NOT_FOUND', resource: 'category', path: 'parentId' });
  });

  test.each([
    ['tracker', 'tracker', true],
    ['tracker', 'system', true],
    ['tracker', 'user', false],
    ['user', 'user', true],
    ['user', 'system', true],
    ['user', 'tracker', false],
  ] as const)(
    'decides whether a category of scope %s may have a parent of scope %s: %s',
    (scope, parentScope, allowed) => {
      const facts = { parent: parentOf(parentScope) };
      if (allowed) expect(decide({ ...child, scope }, facts).parentId).toBe('cat_parent');
      else expect(refused({ ...child, scope }, facts)).toEqual(['parentId CATEGORY_NOT_USABLE']);
    },
  );

  test('rejects an archived parent, and a user-wide parent of another user', () => {
    for (const parent of [parentOf('tracker', { status: 'archived' }), parentOf('user', { user_id: 'v' })]) {
      expect(refused({ ...child, scope: parent.scope }, { parent })).toEqual(['parentId CATEGORY_NOT_USABLE']);
    }
  });
});

test('decideCategory accepts the thousandth category and rejects the next', () => {
  expect(decide({}, { existing: { count: 999, idWithName: null } }).id).toBe('cat_1');
  expect(refused({}, { existing: { count: 1000, idWithName: null } })).toEqual({
    code: 'STATE_CONFLICT',
    reason: 'limit_reached',
  });
});

test('decideCategory rejects a name that another category has, and returns the id of that category', () => {
  expect(() => decide({}, { existing: { count: 1, idWithName: 'cat_2' } })).toThrow(
    expect.objectContaining({
      code: 'STATE_CONFLICT',
      details: { reason: 'name_taken', categoryId: 'cat_2' },
    }),
  );
});

describe('foldName', () => {
  test.each([
    ['Food', 'FOOD'],
    ['Straße', 'STRASSE'],
    ['Straße', 'STRAẞE'],
    ['ΐ', 'ΐ'.toUpperCase()],
    ['Café', 'CAFE\u0301'],
    ['ﬁnance', 'FINANCE'],
    ['ＦＯＯＤ', 'food'],
    ['ΟΔΟΣ', 'οδος'],
    ['Ünïcödé', 'üNÏCÖDÉ'],
  ])('maps %s and %s to the same name', (one, other) => {
    expect(foldName(one)).toBe(foldName(other));
  });

  test.each([
    ['Food', 'Foods'],
    ['Café', 'Cafe'],
    ['a b', 'ab'],
    ['1', '2'],
  ])('maps %s and %s to different names', (one, other) => {
    expect(foldName(one)).not.toBe(foldName(other));
  });

  test('maps a random string, its upper-case form, its lower-case form and its folded form to the same name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(foldName(name.toUpperCase())).toBe(foldName(name));
        expect(foldName(name.toLowerCase())).toBe(foldName(name));
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
  });
});
