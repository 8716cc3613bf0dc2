import { mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
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
  test('is made with the parents that it lacks, and nobody else may list it', async () => {
    const path = join(root, 'a', 'b');
    expect(await prepareDataDir(path)).toBe(path);
    expect((await stat(path)).mode & 0o066).toBe(0);
  });

  test('that exists is taken as it is', async () => {
    const { mode } = await stat(root);
    expect(await prepareDataDir(root)).toBe(root);
    expect((await stat(root)).mode).toBe(mode);
  });

  test('below a file is refused, with the path, the reason and the remedy', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(prepareDataDir(join(file, 'data'))).rejects.toThrow(
      `DATA_DIR ${join(file, 'data')} cannot be made (ENOTDIR). Set DATA_DIR to a directory`,
    );
    await expect(prepareDataDir(file)).rejects.toThrow('cannot be made (EEXIST)');
  });

  test.skipIf(process.platform !== 'linux')('in /proc, where nothing can be made, is refused at once', async () => {
    await expect(prepareDataDir('/proc/centavo/data')).rejects.toThrow(
      /^DATA_DIR \/proc\/centavo\/data cannot be made/,
    );
  });
});
