import { UsageError } from '../cli-error.js';

/**
 * A patch of what was named; what was not named stays as it is.
 * @throws UsageError (exit 2) when nothing was
 */
export function requireChanges<Patch extends object>(patch: Patch, flags: string): Patch {
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('No change was named.', `Give ${flags}.`);
}
