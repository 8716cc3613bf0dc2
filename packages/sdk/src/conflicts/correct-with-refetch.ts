import type { CorrectMovementInput } from '@centavo/contracts';
import type { ApiResponse } from '../answers/api-response.js';
import { isVersionConflictError } from '../errors/conflict-errors.js';
import { MalformedAnswerError } from '../errors/transport-errors.js';
import { UsageError } from '../errors/usage-errors.js';
import type { Movement } from '../money/record-types.js';

/** Decides a correction from the movement as it is now; undefined leaves it so. */
export type AskForPatch = (
  current: Movement,
) => CorrectMovementInput | undefined | Promise<CorrectMovementInput | undefined>;

/**
 * Reads, asks and writes until a write meets no conflict. Every write is a call of its own with a key of its own: a
 * version conflict says for certain that the key before it recorded nothing, because the server looks for a stored
 * answer before it looks at If-Match (contract, section 6).
 * @throws VersionConflictError of the last of `attempts`
 */
export async function correctWithRefetch(conversation: {
  readonly ask: AskForPatch;
  readonly attempts: number;
  readonly read: () => Promise<ApiResponse<Movement>>;
  readonly write: (patch: CorrectMovementInput, etag: string) => Promise<ApiResponse<Movement>>;
}): Promise<ApiResponse<Movement>> {
  const { ask, attempts, read, write } = conversation;
  if (!Number.isInteger(attempts) || attempts < 1) throw new UsageError('attempts must be a whole number from 1 on');
  for (let attempt = 1; ; attempt += 1) {
    const current = await read();
    const patch = await ask(current.data);
    if (patch === undefined) return current;
    if (current.etag === null) {
      throw new MalformedAnswerError({ message: 'The movement came without its ETag', idempotencyKey: null });
    }
    try {
      return await write(patch, current.etag);
    } catch (error) {
      if (!isVersionConflictError(error) || attempt >= attempts) throw error;
    }
  }
}
