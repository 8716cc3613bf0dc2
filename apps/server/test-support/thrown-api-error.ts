import type { Issue } from '@centavo/contracts';
import { ApiError } from '../src/api-error.js';

/** Returns the ApiError that `act` throws. @throws any other error of `act`, and Error if `act` throws nothing */
export function thrownApiError(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('No error was thrown');
}

/** Returns the issues of a VALIDATION_ERROR as `path CODE`, sorted. */
export function formatIssues(error: ApiError): string[] {
  if (error.code !== 'VALIDATION_ERROR') throw new Error(`Expected VALIDATION_ERROR, got ${error.code}`);
  return (error.details.issues as readonly Issue[]).map(({ path, code }) => `${path} ${code}`).sort();
}

/** Returns the issues of a thrown VALIDATION_ERROR, otherwise the code and the `details` of the thrown ApiError. */
export function summarizeThrown(act: () => unknown): unknown {
  const error = thrownApiError(act);
  return error.code === 'VALIDATION_ERROR' ? formatIssues(error) : { code: error.code, ...error.details };
}
