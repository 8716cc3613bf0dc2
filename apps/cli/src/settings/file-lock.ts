import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CliError } from '../cli-error.js';
import type { Clock } from '../clock.js';
import { describeOwner, isAbandoned } from './file-lock-owner.js';

/** Another process has held the profile for too long. */
export class LockedError extends CliError {}

/**
 * Runs `act` while holding a lock file, which only one process can create. Cron jobs and terminals share a profile, and
 * two that refreshed one session at once would have it revoked.
 *
 * A lock left by a process that no longer lives is taken over; one that is held is waited for, 30 s at most.
 * @throws LockedError (exit 1) when the wait was in vain
 */
export async function withFileLock<Result>(path: string, clock: Clock, act: () => Promise<Result>): Promise<Result> {
  const mine = await describeOwner();
  const giveUpMs = clock.nowMs() + waitMsMax;
  while (!(await tryCreateLock(path, mine))) {
    if (await removeIfAbandoned(path)) continue;
    if (clock.nowMs() >= giveUpMs) {
      throw new LockedError(`Another process holds ${path}.`, 'Wait for it, or remove the file if none is running.');
    }
    await clock.waitMs(retryEveryMs);
  }
  try {
    return await act();
  } finally {
    await rm(path, { force: true });
  }
}

const waitMsMax = 30_000;
const retryEveryMs = 50;

/** Creates a lock file with this content, with the directory that it is in; false where there is one already. */
export async function tryCreateLock(path: string, content: string): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // Written aside and linked into place: a lock is never seen empty, so its owner can always be asked after.
  const draft = `${path}.${randomUUID()}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.close();
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Moving the lock aside, rather than deleting it, lets us see what we took: if a third process was quicker and we took
 * its live lock, it is put back.
 */
async function removeIfAbandoned(path: string): Promise<boolean> {
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return true;
  if (!(await isAbandoned(content))) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return true;
  }
  const taken = await readFile(aside, 'utf8');
  if (taken !== content) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
  return true;
}
