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
  test('replaces the fields in the request, and keeps the current values of omitted fields', () => {
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
  test('sets the description to null if the request has null, an empty string or a space', () => {
    for (const description of [null, '', ' ']) {
      expect(decide({ description })).toMatchObject({ description: null, change: { description: ['Lunch', null] } });
    }
  });

  // @proves spec, Movement correction fields: categoryId
  test('sets the category in categoryId, or cat_unknown if categoryId is null', () => {
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
  ])('returns an empty change if the values in the request equal the current ones: %j', (fields) => {
    expect(decide(fields).change).toEqual({});
  });

  test("accepts the movement's current category even if it is archived", () => {
    const archived: CategoryFacts = { id: 'cat_1', kind: 'income', status: 'archived' };
    expect(decide({ categoryId: 'cat_1' }, { category: archived }).change).toEqual({});
  });
});

describe('decideCorrection: the ETag of a movement', () => {
  test('in If-Match causes VERSION_CONFLICT with the current ETag if it belongs to an older version', () => {
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

  test('in If-Match may be one of several ETags', () => {
    expect(decide({ description: 'x' }, { ifMatch: ['"other"', etag] }).description).toBe('x');
  });

  test('in If-Match causes VERSION_CONFLICT if it belongs to a different movement', () => {
    const foreign = movementEtag({ ...current, id: '0190f2a0-0000-7000-8000-00000000000b' });
    expect(refused({ description: 'x' }, { ifMatch: [foreign] })).toMatchObject({ code: 'VERSION_CONFLICT' });
  });

  // @proves contract 5: Order of checks
  test('in If-Match is checked before the rules for voided movements, categories and amounts', () => {
    const changed = { ...current, voided_at: '2026-03-01T00:00:00.000Z' };
    expect(refused({ amountDecimal: '1.234' }, { current: changed, category: null, ifMatch: ['"x"'] })).toMatchObject({
      code: 'VERSION_CONFLICT',
    });
  });

  // @proves contract 6: ETag and If-Match
  test('has 22 characters, is strong, and changes when the version changes', () => {
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(movementEtag({ ...current, version: 4 })).not.toBe(etag);
    expect(movementEtag({ ...current })).toBe(etag);
  });
});

describe('decideCorrection with an invalid correction', () => {
  test('returns 404 when the movement does not exist', () => {
    expect(refused({ description: 'x' }, { current: undefined })).toEqual({ code: 'NOT_FOUND' });
  });

  test('returns STATE_CONFLICT with the id of the transfer if the movement is a transfer leg, even if If-Match is stale', () => {
    const leg = { ...current, kind: 'transfer', category_id: null, transfer_group_id: 'group' } as const;
    const refusal = { code: 'STATE_CONFLICT', reason: 'transfer_leg', transferGroupId: 'group' };
    expect(refused({ description: 'x' }, { current: leg })).toEqual(refusal);
    expect(refused({ description: 'x' }, { current: leg, ifMatch: ['"stale"'] })).toEqual(refusal);
  });

  test('returns 404 for a category that the caller does not see', () => {
    expect(refused({ categoryId: 'cat_9' }, { category: null })).toEqual({
      code: 'NOT_FOUND',
      resource: 'category',
      path: 'categoryId',
    });
  });

  // @proves spec, Movement correction fields: amountDecimal
  test('reports a category of the wrong kind together with an amount that has too many decimal places', () => {
    const income: CategoryFacts = { id: 'cat_2', kind: 'income', status: 'active' };
    expect(refused({ categoryId: 'cat_2', amountDecimal: '1.234' }, { category: income })).toEqual([
      'amountDecimal AMOUNT_PRECISION',
      'categoryId CATEGORY_NOT_USABLE',
    ]);
  });

  // @proves contract 10a: Movements
  test('rejects a correction that sets an archived category', () => {
    const archived: CategoryFacts = { ...food, status: 'archived' };
    expect(refused({ categoryId: 'cat_2' }, { category: archived })).toEqual(['categoryId CATEGORY_NOT_USABLE']);
  });
});
