import { UsageError } from '../../errors.js';
import type { WriteFlags } from './flags.js';
import type { CommandContext } from './context.js';
import { printDryRun, type SentWrite } from './dry-run.js';

/**
 * Sends a write, or with --dry-run shows it. The key is made before anything is sent, so that Ctrl-C or a lost answer
 * can name it and the same intent be repeated safely.
 *
 * @returns the answer, or undefined after a dry run, which has printed what would have been sent
 */
export async function sendWrite<Answer>(
  context: CommandContext,
  flags: WriteFlags,
  write: SentWrite & { send: (idempotencyKey: string) => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  const idempotencyKey = flags.idempotencyKey ?? context.io.makeId();
  if (flags.dryRun === true) {
    await printDryRun(context, write, idempotencyKey);
    return undefined;
  }
  const answer = await write.send(idempotencyKey);
  context.pendingKey = undefined;
  return answer;
}

/** As {@link sendWrite}, for the calls on which the server keeps no key: a lost answer of theirs cannot be repeated. */
export async function sendUnkeyedWrite<Answer>(
  context: CommandContext,
  flags: WriteFlags,
  write: SentWrite & { send: () => PromiseLike<Answer> },
): Promise<Answer | undefined> {
  if (flags.dryRun !== true) return write.send();
  await printDryRun(context, write, null);
  return undefined;
}

/**
 * A patch of what was named; what was not named stays as it is.
 * @throws UsageError (exit 2) when nothing was
 */
export function requireChanges<Patch extends object>(patch: Patch, flags: string): Patch {
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('No change was named.', `Give ${flags}.`);
}
