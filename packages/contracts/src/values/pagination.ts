import * as z from 'zod';

/**
 * The value of `meta.pagination`. `offset` and `nextOffset` are null if the request has a cursor or the list does not support offsets.
 * `nextOffset` is also null if it would exceed the maximum offset. On the last page, `nextOffset` and `nextCursor` are null.
 */
export const pagination = z.strictObject({
  limit: z.int(),
  offset: z.int().nullable(),
  count: z.int(),
  total: z.int().nullable(),
  hasMore: z.boolean(),
  nextOffset: z.int().nullable(),
  nextCursor: z.string().nullable(),
});

export type Pagination = z.output<typeof pagination>;
