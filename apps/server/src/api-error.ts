import { type ErrorCode, errorCodes, type Issue } from '@centavo/contracts';

/**
 * The only kind of error that reaches a client. Its message is public, and contains no token, no secret, no amount and no value from the
 * body. `internalReason` is for the log only.
 */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly internalReason: string | undefined;

  constructor(options: {
    code: ErrorCode;
    message: string;
    details?: Readonly<Record<string, unknown>>;
    headers?: Readonly<Record<string, string>>;
    internalReason?: string;
    cause?: unknown;
  }) {
    super(options.message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = options.code;
    this.details = options.details ?? {};
    this.headers = options.headers ?? {};
    this.internalReason = options.internalReason;
  }

  /** The HTTP status of the error code. */
  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** Returns the 400 error that lists all validation issues of a request. */
export function validationError(issues: readonly Issue[]): ApiError {
  const named = issues.map((issue) => issue.path || 'body').join(', ');
  return new ApiError({
    code: 'VALIDATION_ERROR',
    message: `The request is not valid: ${named}. ${errorCodes.VALIDATION_ERROR.remedy}`,
    details: { issues },
  });
}

/** Returns the 404 error for an unknown path. For such a path, a caller without a valid credential gets this error, not a 401. */
export function noSuchPath(): ApiError {
  return new ApiError({ code: 'NOT_FOUND', message: 'This path does not exist. /docs lists all paths of the API.' });
}

/** Returns the 405 error for a method that a known path does not accept. Source: docs/contract.md, section 5 */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: `This path accepts ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

/**
 * Returns the 404 error for a resource that is unknown or that the caller may not read. The error does not show which of the two.
 * @param named the kind of the resource, and the path of the body field that contains its id; set only if the id came from the body
 */
export function notFound(named?: { readonly resource: string; readonly path: string }): ApiError {
  const place = named?.resource === 'cashbox' ? ' in the account' : '';
  return new ApiError({
    code: 'NOT_FOUND',
    message: `There is no such ${named?.resource ?? 'resource'}${place}, or this credential may not read it.`,
    details: named ?? {},
  });
}

/**
 * Returns the 409 error for a state that does not allow the operation.
 * @param details further details, in addition to the reason
 */
export function stateConflict(
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ApiError {
  return new ApiError({ code: 'STATE_CONFLICT', message, details: { reason, ...details } });
}

/**
 * Returns the 503 error for a temporary failure. A retry with the same idempotency key is safe: if the first attempt was recorded, the
 * server returns the stored response.
 * @param options.message replaces the default message. The default mentions no idempotency key, because most operations take none
 */
export function serviceUnavailable(options: { internalReason: string; cause?: unknown; message?: string }): ApiError {
  const {
    message = 'The service is temporarily unavailable. Wait for the time in Retry-After, then repeat the request.',
  } = options;
  return new ApiError({ ...options, code: 'SERVICE_UNAVAILABLE', message, headers: { 'Retry-After': '1' } });
}

/** Returns the 403 error for trackers that the caller may not use. Unknown trackers get the same error as trackers of other users. */
export function trackerForbidden(trackerIds: readonly string[]): ApiError {
  return new ApiError({
    code: 'TRACKER_FORBIDDEN',
    message:
      trackerIds.length === 0
        ? 'This credential may not use any tracker.'
        : 'This credential may not use the tracker. GET /trackers lists the trackers that it may use.',
    details: { trackerIds },
  });
}
