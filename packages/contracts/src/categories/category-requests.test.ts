import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { createCategoryBody } from './category-requests.js';

describe('POST /categories', () => {
  test.each([
    [{ name: 'Food' }],
    [{ name: 'Food', kind: 'expense', scope: 'user', parentId: 'cat_1' }],
    [{ name: 'Food', kind: 'any', scope: 'tracker' }],
    [{ name: 'Food', kind: null, scope: null, parentId: null }],
    // @proves contract 4: POST /categories
  ])('accepts the body %j', (body) => {
    expect(issuesOf(createCategoryBody, body)).toEqual([]);
  });

  test.each([
    [{}, ['name REQUIRED']],
    [{ name: ' ' }, ['name REQUIRED']],
    [{ name: 'x'.repeat(101) }, ['name TOO_LONG']],
    [{ name: 'a\nb' }, ['name INVALID_FORMAT']],
    [{ name: 'Food', kind: 'transfer' }, ['kind INVALID_FORMAT']],
    [{ name: 'Food', scope: 'system' }, ['scope INVALID_FORMAT']],
    [{ name: 'Food', parentId: 'a b' }, ['parentId INVALID_FORMAT']],
    [{ name: 'Food', isUnknown: true }, ['isUnknown UNKNOWN_FIELD']],
    [
      { kind: 1, scope: 'all', parentId: '', color: 'red' },
      [
        'color UNKNOWN_FIELD',
        'kind INVALID_FORMAT',
        'name REQUIRED',
        'parentId INVALID_FORMAT',
        'scope INVALID_FORMAT',
      ],
    ],
    // @proves contract 4: POST /categories
  ])('refuses the body %j and reports the issues %j', (body, issues) => {
    expect(issuesOf(createCategoryBody, body)).toEqual(issues);
  });
});
