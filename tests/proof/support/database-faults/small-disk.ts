import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A small file system that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk completely. */
  fill(): Promise<void>;
  freeSpace(): Promise<void>;
  /** Unmounts the disk, which deletes its files. */
  remove(): void;
}

/** The reason for skipping tests of a small disk. */
export const cannotMount = 'mounting a small disk needs root and the right to mount';

const chunk = Buffer.alloc(4_096, 1);

/** Mounts a disk in memory at `folder`. @returns undefined if this user may not mount */
export function mountSmallDisk(folder: string, { megabytes }: { readonly megabytes: number }): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true });
  const options = `size=${megabytes}m,mode=0711`;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return undefined;
  const filler = join(folder, 'ballast');
  // Unmounts lazily, because processes of PostgreSQL may still use files that are already deleted.
  const unmount = () => spawnSync('umount', ['--lazy', folder], { encoding: 'utf8' });
  // Frees the memory if this process exits before `remove` is called.
  process.once('exit', unmount);
  return {
    folder,
    async fill() {
      const file = await open(filler, 'a');
      try {
        for (;;) await file.appendFile(chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    freeSpace: () => rm(filler, { force: true }),
    remove() {
      process.off('exit', unmount);
      const { status, stderr } = unmount();
      if (status !== 0) throw new Error(stderr);
    },
  };
}
