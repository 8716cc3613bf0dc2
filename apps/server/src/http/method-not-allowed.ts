import { ApiError } from '../api-error.js';

/** 405 for a path that is there and answers other methods. Source: contract, section 5 */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError({
    code: 'METHOD_NOT_ALLOWED',
    message: `This path answers ${allowed.join(', ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}
