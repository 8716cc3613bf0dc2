import { hostname } from 'node:os';
import { join } from 'node:path';
import type { CommandContext } from '../../commands/shared/context.js';
import { acquireFileLock } from '../../config/file-lock.js';
import { configDirectory } from '../../config/files.js';
import { CliError } from '../../errors.js';

/**
 * Runs an import while no other import of this user runs on this machine, in any profile. An import reads accounts,
 * transfers and the columns of keys before its first row. It would not see what another import records meanwhile, and
 * would count money twice. If the lock cannot be created, the import warns and goes on.
 *
 * @throws InterruptedError (exit 130) if Ctrl-C ended the wait; every error of `act`
 */
export async function withImportLock<Result>(
  { io, printer }: CommandContext,
  act: () => Promise<Result>,
): Promise<Result> {
  const { env, clock, interruption } = io;
  // One file for each machine, because machines may share a home directory and can only check their own processes.
  const path = join(configDirectory(env), `import-${hostname().replace(/[^\w.-]/g, '_')}.lock`);
  const onWait = (pid: number | undefined) =>
    printer.warn(`Another import is running (process ${pid ?? 'unknown'}). Waiting for it to finish.`);
  const release = await acquireFileLock(path, { clock, interruption, onWait }).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    printer.warn(`Could not lock out other imports (${reason}). Do not run another one until this one finishes.`);
    return async () => {};
  });
  try {
    return await act();
  } finally {
    await release();
  }
}
