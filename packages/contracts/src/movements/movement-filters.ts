import * as z from 'zod';
import {
  areInOrder,
  categoryIdField,
  crossCheck,
  currencyField,
  dateField,
  externalIdFilterField,
  refuse,
  uuidField,
  wholeNumber,
} from '../values/fields.js';
import { categoryIdPattern } from '../values/ids.js';
import {
  categoryIdsMax,
  pageLimitDefault,
  pageLimitMax,
  pageOffsetMax,
  summaryLimitDefault,
  summaryLimitMax,
} from '../values/limits.js';
import { movementKinds, movementTypes } from './movement-record.js';

// In OpenAPI, a parameter with comma-separated values has the type `array`.
const listSchema = {
  type: 'array',
  items: { type: 'string', pattern: categoryIdPattern.source },
  minItems: 1,
  maxItems: categoryIdsMax,
} as const;

const categoryIdList = z
  .string()
  .meta(listSchema)
  .transform((text, context) => {
    const ids = text.split(',');
    if (ids.length > categoryIdsMax) refuse(context, 'OUT_OF_RANGE', `Send at most ${categoryIdsMax} ids.`);
    if (ids.some((id) => !categoryIdField.safeParse(id).success)) {
      refuse(context, 'INVALID_FORMAT', 'Send category ids, separated by commas, without spaces.');
    }
    return [...new Set(ids)];
  });

// The filters that GET /movements and GET /movements/summary share.
const sharedFilters = {
  type: z.enum(movementTypes).optional(),
  categoryId: categoryIdField.optional(),
  categoryIds: categoryIdList.optional(),
  accountId: uuidField.optional(),
  cashboxId: uuidField.optional(),
  from: dateField.optional(),
  to: dateField.optional(),
};

const booleanText = z.enum(['true', 'false']);

const filterFields = z.strictObject({
  ...sharedFilters,
  kind: z.enum(movementKinds).optional(),
  externalId: externalIdFilterField.optional(),
  includeVoided: booleanText.optional(),
  limit: wholeNumber({ min: 1, max: pageLimitMax, otherwise: pageLimitDefault }).optional(),
  offset: wholeNumber({ min: 0, max: pageOffsetMax }).optional(),
  cursor: z.string().min(1).max(500).optional(),
  includeTotal: booleanText.optional(),
});

const oneCategoryFilter = {
  code: 'FILTER_CONFLICT' as const,
  message: 'Send categoryId or categoryIds, not both.',
  path: ['categoryIds'],
  holds: ({ categoryId, categoryIds }: { categoryId?: unknown; categoryIds?: unknown }) =>
    categoryId === undefined || categoryIds === undefined,
};

const orderedDates = {
  code: 'FILTER_CONFLICT' as const,
  message: 'Send a date in "from" that is not after the date in "to".',
  path: ['from'],
  holds: ({ from, to }: { from?: unknown; to?: unknown }) => areInOrder(from, to),
};

const withoutTwoPositions = crossCheck(crossCheck(filterFields, oneCategoryFilter), {
  code: 'FILTER_CONFLICT',
  message: 'Send cursor or offset, not both.',
  path: ['cursor'],
  holds: ({ cursor, offset }) => cursor === undefined || offset === undefined,
});

const withOrderedDates = crossCheck(withoutTwoPositions, orderedDates);

/**
 * The query of GET /movements. All filters are optional. A request is rejected if it has both `categoryId` and `categoryIds`, or both
 * `cursor` and `offset`, or a `from` that is later than `to`.
 * @source docs/financial-integration-api.md; docs/contract.md, section 4
 */
export const movementFilters = withOrderedDates.transform((filters) => {
  const { categoryId, categoryIds, limit, includeTotal, includeVoided, ...others } = filters;
  return {
    ...others,
    categoryIds: categoryId === undefined ? categoryIds : [categoryId],
    limit: limit ?? pageLimitDefault,
    includeTotal: includeTotal === 'true',
    includeVoided: includeVoided === 'true',
  };
});

export const summaryGroups = ['category', 'month', 'merchant', 'account'] as const;

const summaryFields = z.strictObject({
  groupBy: z.enum(summaryGroups),
  ...sharedFilters,
  currencyCode: currencyField.optional(),
  limit: wholeNumber({ min: 1, max: summaryLimitMax, otherwise: summaryLimitDefault }).optional(),
});

/**
 * The query of GET /movements/summary.
 * @source docs/additions.md, section 2.3
 */
export const summaryFilters = crossCheck(crossCheck(summaryFields, oneCategoryFilter), orderedDates).transform(
  ({ categoryId, categoryIds, limit, ...others }) => ({
    ...others,
    categoryIds: categoryId === undefined ? categoryIds : [categoryId],
    limit: limit ?? summaryLimitDefault,
  }),
);
