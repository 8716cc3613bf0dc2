/** Names of the headers that carry meaning, spelled as the specification does. */
export const headerNames = {
  authorization: 'Authorization',
  trackerId: 'X-Service-Tracker-Id',
  idempotencyKey: 'Idempotency-Key',
  ifMatch: 'If-Match',
  ifNoneMatch: 'If-None-Match',
  etag: 'ETag',
  location: 'Location',
  requestId: 'X-Request-Id',
  retryAfter: 'Retry-After',
  rateLimit: 'RateLimit',
  rateLimitPolicy: 'RateLimit-Policy',
  readAfter: 'Centavo-Read-After',
} as const;

/** 1–200 printable ASCII characters. Source: contract, section 6. */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,200}$/;

export const idempotencyKeyLengthMax = 200;

/**
 * A place in the log of the database, of `Centavo-Read-After`: two halves of 32 bits in hexadecimal digits, as PostgreSQL
 * prints it. `0/0` is the beginning, before which nothing was written.
 */
export const logPositionPattern = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;

/** The largest request body that is read. Source: specification, Limits. */
export const bodyBytesMax = 65_536;

export const apiVersion = 1;
