import { apiVersion, errorCodes } from '@centavo/contracts';
import { ApiError } from '../api-error.js';
import { errorPagePath } from './error-pages-router.js';

/** An answer ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * The error envelope for anything thrown, with a link to the page of its code; what is not an ApiError is a 500 that says
 * nothing of the inside.
 */
export function errorAnswer(error: unknown, requestId: string): Answer {
  const apiError = error instanceof ApiError ? error : internalError(error);
  return {
    status: apiError.status,
    headers: { ...apiError.headers, Link: `<${errorPagePath(apiError.code)}>; rel="help"` },
    body: {
      error: { code: apiError.code, message: apiError.message, details: apiError.details },
      meta: { apiVersion, requestId },
    },
  };
}

function internalError(cause: unknown): ApiError {
  return new ApiError({
    code: 'INTERNAL_ERROR',
    message: `Something went wrong inside the service. ${errorCodes.INTERNAL_ERROR.remedy}`,
    cause,
  });
}
