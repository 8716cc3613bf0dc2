import { type ErrorCode, errorCodes, type Issue } from '@centavo/contracts';

/**
 * The one error that reaches a client. Its message is public: no token, secret, body or amount is in it; why the server
 * really refused goes into `internalReason`, for the log alone.
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

  /** The HTTP status, which lives on the code. */
  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** 400 with every issue at once. */
export function validationError(issues: readonly Issue[]): ApiError {
  const named = issues.map((issue) => issue.path || 'body').join(', ');
  return new ApiError({
    code: 'VALIDATION_ERROR',
    message: `The request is not valid: ${named}. ${errorCodes.VALIDATION_ERROR.remedy}`,
    details: { issues },
  });
}

/** 404 for a path that names nothing, whoever asks. */
export function noSuchPath(): ApiError {
  return new ApiError({ code: 'NOT_FOUND', message: 'There is no such path here; /docs lists those there are.' });
}

/** 405 for a path that is there and answers other methods. Source: contract, section 5 */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: `This path answers ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

/** 404, the same for what never existed and for what the caller may not see. `resource` only for ids named in a body. */
export function notFound(resource?: string): ApiError {
  return new ApiError({
    code: 'NOT_FOUND',
    message: resource === undefined ? 'There is no such resource here.' : `There is no such ${resource} here.`,
    details: resource === undefined ? {} : { resource },
  });
}

/** 409 for a state that does not allow the call. */
export function stateConflict(reason: string, message: string): ApiError {
  return new ApiError({ code: 'STATE_CONFLICT', message, details: { reason } });
}

/**
 * 503: nothing was recorded that the same request would not find again.
 * @param options.message where more can be said; by itself it speaks of no key, because most calls take none
 */
export function serviceUnavailable(options: { internalReason: string; cause?: unknown; message?: string }): ApiError {
  const { message = 'The service cannot answer right now. Wait for Retry-After, then repeat the request.' } = options;
  return new ApiError({ ...options, code: 'SERVICE_UNAVAILABLE', message, headers: { 'Retry-After': '1' } });
}

/** 403 for trackers that are unknown or not the caller's: no difference is shown. */
export function trackerForbidden(trackerIds: readonly string[]): ApiError {
  return new ApiError({
    code: 'TRACKER_FORBIDDEN',
    message:
      trackerIds.length === 0
        ? 'This credential has no tracker that it may use.'
        : 'This credential may not use the tracker. GET /trackers lists those it may.',
    details: { trackerIds },
  });
}
