/** The names of the request and response headers of the API. */
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

/**
 * The pattern of an idempotency key: 1–200 printable ASCII characters.
 * @source docs/contract.md, section 6
 */
export const idempotencyKeyPattern = /^[\x20-\x7e]{1,200}$/;

export const idempotencyKeyLengthMax = 200;

/**
 * The pattern of the value of `Centavo-Read-After`. The value is a position in PostgreSQL's write-ahead log: two 32-bit halves in
 * hexadecimal, separated by a slash. `0/0` is the beginning of the log.
 */
export const logPositionPattern = /^([0-9A-Fa-f]{1,8})\/([0-9A-Fa-f]{1,8})$/;

/**
 * The largest request body, in bytes.
 * @source docs/financial-integration-api.md, Limits
 */
export const bodyBytesMax = 65_536;

export const apiVersion = 1;
