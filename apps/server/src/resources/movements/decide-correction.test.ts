import { correctMovementBody } from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { summarizeThrown, thrownApiError } from '../../../test-support/thrown-api-error.js';
import type { CategoryFacts } from '../categories/index.js';
import { decideCorrection } from './decide-correction.js';
import type { MovementRow } from './movements.view.js';
import { movementEtag } from './versions.rules.js';

const current: MovementRow = {
  tracker_id: 't',
  id: '0190f2a0-0000-7000-8000-00000000000a',
  type: 'expense',
  kind: 'regular',
  amount: '12.5000',
  currency_code: 'EUR',
  account_id: 'a',
  cashbox_id: 'b',
  category_id: 'cat_1',
  occurred_on: '2026-03-01',
  description: 'Lunch',
  merchant_name: null,
  transfer_group_id: null,
  external_id: null,
  source_type: 'user',
  source_id: 'u',
  version: 3,
  voided_at: null,
  created_at: '1970-01-01T00:00:00.000Z',
  updated_at: '1970-01-01T00:00:00.000Z',
};
const etag = movementEtag(current);
const food: CategoryFacts = { id: 'cat_2', kind: 'expense', status: 'active' };

const decide = (
  fields: object,
  facts: { current?: MovementRow | undefined; category?: CategoryFacts | null; ifMatch?: readonly string[] } = {},
) =>
  decideCorrection({
    body: correctMovementBody.parse(fields),
    current,
    category: undefined,
    ifMatch: [etag],
    today: '2026-03-01',
    ...facts,
  });
const refused = (...args: Parameters<typeof decide>) => summarizeThrown(() => decide(...args));

describe('decideCorrection', () => {
  test('changes the given fields and keeps the other fields', () => {
    expect(decide({ amountDecimal: '3' })).toEqual({
      amount: '3.0000',
      categoryId: 'cat_1',
      description: 'Lunch',
      merchantName: null,
      change: { amountDecimal: ['12.50', '3.00'] },
    });
    expect(decide({ merchantName: 'Bistro' }).change).toEqual({ merchantName: [null, 'Bistro'] });
  });

  // @proves spec, Movement correction fields: description
  // @proves contract 10a: Movements
  test('clears the description if it is null or empty', () => {
    for (const description of [null, '', ' ']) {
      expect(decide({ description })).toMatchObject({ description: null, change: { description: ['Lunch', null] } });
    }
  });

  // @proves spec, Movement correction fields: categoryId
  test('changes the category, and sets the category cat_unknown if categoryId is null', () => {
    expect(decide({ categoryId: 'cat_2' }, { category: food }).change).toEqual({ categoryId: ['cat_1', 'cat_2'] });
    const unknown: CategoryFacts = { id: 'cat_unknown', kind: 'any', status: 'active' };
    expect(decide({ categoryId: null }, { category: unknown }).change).toEqual({
      categoryId: ['cat_1', 'cat_unknown'],
    });
  });

  test.each([
    [{ amountDecimal: '12.50' }],
    [{ amountDecimal: '12.5' }],
    [{ description: ' Lunch ' }],
    [{ merchantName: null }],
    [{ amountDecimal: '12.5', description: 'Lunch', merchantName: '' }],
  ])('returns an empty change when the values equal the current ones: %j', (fields) => {
    expect(decide(fields).change).toEqual({});
  });

  test('accepts the current category even if it is archived', () => {
    const archived: CategoryFacts = { id: 'cat_1', kind: 'income', status: 'archived' };
    expect(decide({ categoryId: 'cat_1' }, { category: archived }).change).toEqual({});
  });
});

describe('decideCorrection: the version', () => {
  test('must be current; a request with an older version causes VERSION_CONFLICT with the current ETag', () => {
    const stale = thrownApiError(() =>
      decide({ description: 'x' }, { ifMatch: [movementEtag({ ...current, version: 2 })] }),
    );
    expect(stale).toMatchObject({
      code: 'VERSION_CONFLICT',
      status: 409,
      details: { currentEtag: etag },
      headers: { ETag: etag },
    });
  });

  test('may match any ETag in the list of If-Match', () => {
    expect(decide({ description: 'x' }, { ifMatch: ['"other"', etag] }).description).toBe('x');
  });

  test('never matches the ETag of another movement', () => {
    const foreign = movementEtag({ ...current, id: '0190f2a0-0000-7000-8000-00000000000b' });
    expect(refused({ description: 'x' }, { ifMatch: [foreign] })).toMatchObject({ code: 'VERSION_CONFLICT' });
  });

  // @proves contract 5: Order of checks
  test('is checked before the rules for transfer legs, categories and amounts', () => {
    const leg = { ...current, kind: 'transfer', category_id: null } as const;
    expect(refused({ amountDecimal: '1.234' }, { current: leg, category: null, ifMatch: ['"x"'] })).toMatchObject({
      code: 'VERSION_CONFLICT',
    });
  });

  // @proves contract 6: ETag and If-Match
  test('has a strong ETag of 22 characters; another version has a different ETag', () => {
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(movementEtag({ ...current, version: 4 })).not.toBe(etag);
    expect(movementEtag({ ...current })).toBe(etag);
  });
});

describe('decideCorrection with an invalid correction', () => {
  test('returns 404 when the movement does not exist', () => {
    expect(refused({ description: 'x' }, { current: undefined })).toEqual({ code: 'NOT_FOUND' });
  });

  test('rejects a leg of a transfer', () => {
    const leg = { ...current, kind: 'transfer', category_id: null, transfer_group_id: 'group' } as const;
    expect(refused({ description: 'x' }, { current: leg })).toEqual({
      code: 'STATE_CONFLICT',
      reason: 'transfer_leg',
      transferGroupId: 'group',
    });
  });

  test('returns 404 for a category that the caller does not see', () => {
    expect(refused({ categoryId: 'cat_9' }, { category: null })).toEqual({
      code: 'NOT_FOUND',
      resource: 'category',
      path: 'categoryId',
    });
  });

  // @proves spec, Movement correction fields: amountDecimal
  test('reports a category of the wrong kind together with an amount that has too many decimals', () => {
    const income: CategoryFacts = { id: 'cat_2', kind: 'income', status: 'active' };
    expect(refused({ categoryId: 'cat_2', amountDecimal: '1.234' }, { category: income })).toEqual([
      'amountDecimal AMOUNT_PRECISION',
      'categoryId CATEGORY_NOT_USABLE',
    ]);
  });

  // @proves contract 10a: Movements
  test('rejects an archived category', () => {
    const archived: CategoryFacts = { ...food, status: 'archived' };
    expect(refused({ categoryId: 'cat_2' }, { category: archived })).toEqual(['categoryId CATEGORY_NOT_USABLE']);
  });
});
