import type { Issue } from '@centavo/contracts';
import { ApiError } from '../src/api-error.js';

/** The refusal that `act` throws; anything else it throws goes on, and so does a failure to throw. */
export function thrownApiError(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}

/** The issues of a VALIDATION_ERROR as `path CODE`, sorted. */
export function issueNames(refusal: ApiError): string[] {
  if (refusal.code !== 'VALIDATION_ERROR') throw new Error(`Refused with ${refusal.code}`);
  return (refusal.details.issues as readonly Issue[]).map(({ path, code }) => `${path} ${code}`).sort();
}

/** A refusal in few words: the issues of a VALIDATION_ERROR, else the code and what `details` says. */
export function summarizeThrown(act: () => unknown): unknown {
  const refusal = thrownApiError(act);
  return refusal.code === 'VALIDATION_ERROR' ? issueNames(refusal) : { code: refusal.code, ...refusal.details };
}
