import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A file system of its own, so small that a test can fill it. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves not a byte. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  /** Takes it away with all that is on it. */
  remove(): void;
}

/** Why what needs a small disk is skipped. */
export const cannotMount = 'a disk of its own cannot be mounted here, which takes root and the right to mount';

const chunk = Buffer.alloc(4_096, 1);

/** Mounts a disk in memory at `folder`. @returns undefined where this user may not */
export function mountSmallDisk(folder: string, { megabytes }: { readonly megabytes: number }): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const options = `size=${megabytes}m,mode=0711`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return undefined;
  const ballast = join(folder, 'ballast');
  // Lazily: processes of PostgreSQL may still hold files open that have long been deleted.
  const unmount = () => spawnSync('umount', ['--lazy', folder], { encoding: 'utf8' });
  // When vitest gives up on this file's process, at least the memory comes back.
  process.once('exit', unmount);
  return {
    folder,
    async fill() {
      const file = await open(ballast, 'a');
      try {
        for (;;) await file.appendFile(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    makeRoom: () => rm(ballast, { force: true }),
    remove() {
      process.off('exit', unmount);
      const { status, stderr } = unmount();
      if (status !== 0) throw new Error(stderr);
    },
  };
}
