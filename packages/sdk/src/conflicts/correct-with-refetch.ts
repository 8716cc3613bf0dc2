import type { CorrectMovementInput } from '@centavo/contracts';
import type { ApiResponse } from '../answers/api-response.js';
import { isVersionConflictError } from '../errors/conflict-errors.js';
import { MalformedAnswerError } from '../errors/transport-errors.js';
import { UsageError } from '../errors/usage-errors.js';
import type { Movement } from '../money/record-types.js';

/** Returns the correction of the current movement, or undefined to leave the movement unchanged. */
export type AskForPatch = (
  current: Movement,
) => CorrectMovementInput | undefined | Promise<CorrectMovementInput | undefined>;

/**
 * Reads a movement, calls `ask` and writes the correction that `ask` returns. Starts again after a version conflict, with at most
 * `attempts` writes in all. Writes nothing if `ask` returns undefined.
 *
 * Each write is a new call with a new idempotency key. Even so, no correction is recorded twice: if a call ends with a version conflict,
 * none of its attempts wrote anything. If one of them had, the server would have returned the stored response of that attempt, because it
 * looks up the idempotency key before it checks If-Match (docs/contract.md, section 6).
 * @throws VersionConflictError if all `attempts` writes have a version conflict
 */
export async function correctWithRefetch(options: {
  readonly ask: AskForPatch;
  readonly attempts: number;
  readonly read: () => Promise<ApiResponse<Movement>>;
  readonly write: (patch: CorrectMovementInput, etag: string) => Promise<ApiResponse<Movement>>;
}): Promise<ApiResponse<Movement>> {
  const { ask, attempts, read, write } = options;
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new UsageError('attempts must be a whole number of at least 1');
  for (let attempt = 1; ; attempt += 1) {
    const current = await read();
    const patch = await ask(current.data);
    if (patch === undefined) return current;
    if (current.etag === null) {
      throw new MalformedAnswerError({ message: 'The response with the movement has no ETag', idempotencyKey: null });
    }
    try {
      return await write(patch, current.etag);
    } catch (error) {
      if (!isVersionConflictError(error) || attempt >= attempts) throw error;
    }
  }
}
