import { hostname } from 'node:os';
import { join } from 'node:path';
import { acquireFileLock } from '../../config/file-lock.js';
import { configDirectory } from '../../config/files.js';
import { CliError } from '../../errors.js';
import type { CommandContext as Invocation } from '../shared/context.js';

/**
 * Runs an import when no other one of this user and machine is under way, in whatever profile. What an import reads
 * before its first row (accounts, transfers, by what columns rows are known) would not show what another one records at
 * the same time, and the money would count twice. Where no lock can be kept, the danger is told and the import goes on.
 *
 * @throws InterruptedError (exit 130) when Ctrl-C ended the wait; whatever `act` throws
 */
export async function importInTurn<Result>({ io, printer }: Invocation, act: () => Promise<Result>): Promise<Result> {
  const { env, clock, interruption } = io;
  // Each machine has a file of its own where several share a home directory: only its own processes can be asked after.
  const path = join(configDirectory(env), `import-${hostname().replace(/[^\w.-]/g, '_')}.lock`);
  const onWait = (pid: number | undefined) =>
    printer.warn(`Another import is under way (process ${pid ?? 'unknown'}); waiting for it.`);
  const endTurn = await acquireFileLock(path, { clock, interruption, onWait }).catch((error: unknown) => {
    if (error instanceof CliError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    printer.warn(`It cannot be made sure that no other import is under way (${reason}); let none run beside this one.`);
    return async () => {};
  });
  try {
    return await act();
  } finally {
    await endTurn();
  }
}
