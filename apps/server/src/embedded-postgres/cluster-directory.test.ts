import { chmod, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareDataDir } from './cluster-directory.js';

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'centavo-test-data-dir-')));
});

afterEach(() => rm(root, { recursive: true }));

describe('DATA_DIR', () => {
  test('is created with its missing parents, without read or write permission for group and others', async () => {
    const path = join(root, 'a', 'b');
    expect(await prepareDataDir(path)).toBe(path);
    expect((await stat(path)).mode & 0o066).toBe(0);
  });

  test.skipIf(process.getuid?.() !== 0)('is created by root with mode 0711 under umask 077', async () => {
    const umask = process.umask(0o077);
    try {
      const path = await prepareDataDir(join(root, 'a', 'b'));
      for (const created of [path, join(root, 'a')]) expect((await stat(created)).mode & 0o777).toBe(0o711);
    } finally {
      process.umask(umask);
    }
  });

  test('keeps its permissions if it exists', async () => {
    const { mode } = await stat(root);
    expect(await prepareDataDir(root)).toBe(root);
    expect((await stat(root)).mode).toBe(mode);
  });

  test('is rejected if it or its parent is a file; the message has the path, the reason and the remedy', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(prepareDataDir(join(file, 'data'))).rejects.toThrow(
      `DATA_DIR ${join(file, 'data')} cannot be created (ENOTDIR). Set DATA_DIR to a directory`,
    );
    await expect(prepareDataDir(file)).rejects.toThrow('cannot be created (EEXIST)');
  });

  test.skipIf(process.platform === 'win32')('is rejected if it exists but this user may not read it', async () => {
    const path = join(root, 'private');
    await mkdir(path, { mode: 0 });
    await chmod(root, 0o711);
    // Root may read every directory, so the test continues as an unprivileged user.
    const uid = process.geteuid?.();
    if (uid === 0) process.seteuid?.(65_534);
    try {
      await expect(prepareDataDir(path)).rejects.toThrow(
        `DATA_DIR ${path} is not readable and writable (EACCES). Set DATA_DIR to a directory that this user may read and write.`,
      );
    } finally {
      if (uid === 0) process.seteuid?.(0);
    }
  });

  test.skipIf(process.platform !== 'linux')(
    'is rejected at once in /proc, where no directory can be created',
    async () => {
      await expect(prepareDataDir('/proc/centavo/data')).rejects.toThrow(
        /^DATA_DIR \/proc\/centavo\/data cannot be created/,
      );
    },
  );
});
