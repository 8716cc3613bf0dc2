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
 * Each write is a new call with a new idempotency key. No correction is recorded twice, because a version conflict shows that the call
 * wrote nothing, not even in an attempt before a retry. The server looks for a stored response to the idempotency key before it checks
 * If-Match (contract, section 6). So if an earlier attempt of the call had succeeded, the server would return the stored response of that
 * attempt instead of a conflict.
 * @throws VersionConflictError if all `attempts` writes have a version conflict
 */
export async function correctWithRefetch(conversation: {
  readonly ask: AskForPatch;
  readonly attempts: number;
  readonly read: () => Promise<ApiResponse<Movement>>;
  readonly write: (patch: CorrectMovementInput, etag: string) => Promise<ApiResponse<Movement>>;
}): Promise<ApiResponse<Movement>> {
  const { ask, attempts, read, write } = conversation;
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
