/** The maximum lengths of texts in a request, in Unicode code points. Longer texts are rejected. */
export const nameLengthMax = 100;
export const descriptionLengthMax = 500;
export const merchantNameLengthMax = 200;
export const externalIdLengthMax = 200;

/**
 * Limits of the lists with `meta.pagination`. Only GET /movements accepts `offset`. Values beyond a limit are rejected, not clamped.
 * @source docs/contract.md, section 4
 */
export const pageLimitDefault = 50;
export const pageLimitMax = 200;
export const pageOffsetMax = 100_000;

/**
 * The default and the maximum of `limit`, the number of groups that GET /movements/summary returns.
 * @source docs/additions.md, section 2.3
 */
export const summaryLimitDefault = 100;
export const summaryLimitMax = 1000;

/**
 * The maximum number of items in POST /movements/bulk.
 * @source docs/additions.md, section 1.2
 */
export const bulkItemsMax = 100;

/**
 * Limits of webhook endpoints.
 * @source docs/additions.md, section 5.1
 */
export const webhooksPerTrackerMax = 20;
export const webhookUrlLengthMax = 2000;
export const webhookDescriptionLengthMax = 200;
export const webhookEventTypesMax = 50;
export const webhookInFlightMax = 16;
export const webhookOverlapHoursMax = 168;
export const webhookReplayMax = 10_000;

/**
 * The maximum number of ids in `categoryIds`.
 * @source docs/financial-integration-api.md, Limits
 */
export const categoryIdsMax = 5;
