import * as z from 'zod';

/** Paging of GET /movements; values beyond are refused, never clamped. Source: contract, section 4. */
export const pageLimitDefault = 50;
export const pageLimitMax = 200;
export const pageOffsetMax = 100_000;

/** `meta.pagination`. With a cursor `offset` and `nextOffset` are null; at the end `nextCursor` is null. */
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
