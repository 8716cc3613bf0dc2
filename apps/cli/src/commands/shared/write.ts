import type { PreviewOptions } from '@centavo/sdk';
import { UsageError } from '../../errors.js';
import type { CommandContext } from './context.js';
import { printDryRun, type WriteRequest } from './dry-run.js';
import type { WriteFlags } from './flags.js';
import { type PreviewResponse, printPreview } from './preview.js';

/** A write, and its preview if the server can try the write without recording it. */
interface PreviewedWrite extends WriteRequest {
  /** Sends the write with `dryRun=true`: the server tries it without recording it. Undefined for commands without the flag --preview. */
  readonly preview?: (options: PreviewOptions) => PromiseLike<PreviewResponse>;
}

/**
 * Sends a write. With --dry-run, only prints the request. With --preview, the server tries the write without recording it, and the
 * result is printed. The idempotency key is created before the request, so that the message after Ctrl-C or a lost response can name
 * the key. The user can then repeat the write safely.
 *
 * @returns the response, or undefined after a dry run or a preview
 */
export async function sendWrite<Result>(
  context: CommandContext,
  flags: WriteFlags,
  write: PreviewedWrite & { send: (idempotencyKey: string) => PromiseLike<Result> },
): Promise<Result | undefined> {
  const idempotencyKey = flags.idempotencyKey ?? context.io.makeId();
  if (flags.dryRun === true) {
    await printDryRun(context, write, idempotencyKey);
    return undefined;
  }
  if (flags.preview === true && write.preview !== undefined) {
    await printPreview(context, await write.preview({ dryRun: true, idempotencyKey }));
    return undefined;
  }
  const response = await write.send(idempotencyKey);
  context.pendingKey = undefined;
  return response;
}

/** Does the same as {@link sendWrite}, but without an idempotency key. So the server cannot recognize a repeated request. */
export async function sendWriteWithoutIdempotencyKey<Result>(
  context: CommandContext,
  flags: WriteFlags,
  write: PreviewedWrite & { send: () => PromiseLike<Result> },
): Promise<Result | undefined> {
  if (flags.dryRun === true) await printDryRun(context, write, null);
  else if (flags.preview !== true || write.preview === undefined) return write.send();
  else await printPreview(context, await write.preview({ dryRun: true }));
  return undefined;
}

/**
 * Returns the patch if it changes something.
 * @param flags the flags that can change something, as text for the error message
 * @throws UsageError (exit 2) when the patch is empty
 */
export function requireChanges<Patch extends object>(patch: Patch, flags: string): Patch {
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('The command changes nothing.', `Add ${flags}.`);
}
