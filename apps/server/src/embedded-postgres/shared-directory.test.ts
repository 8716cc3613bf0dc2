import { chmod, chown, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { canEnter, prepareSharedDirectory } from './shared-directory.js';

// The ids of a user without rights. A process can run with these ids even if no such user exists.
const unprivileged = { uid: 65_534, gid: 65_534 };

describe.skipIf(process.getuid?.() !== 0)('the directory that root shares with the user of PostgreSQL', () => {
  let parent: string;
  let path: string;
  let umask: number;
  let reported: string[];

  beforeEach(async () => {
    umask = process.umask(0o077);
    reported = [];
    parent = await realpath(await mkdtemp(join(tmpdir(), 'centavo-test-shared-directory-')));
    await chmod(parent, 0o755);
    path = join(parent, 'shared');
  });

  afterEach(async () => {
    process.umask(umask);
    await rm(parent, { recursive: true });
  });

  const prepare = () => prepareSharedDirectory({ runUser: unprivileged, report: (line) => reported.push(line), path });
  const modeOf = async (directory: string) => (await stat(directory)).mode & 0o777;

  test('is created with mode 0755 under umask 077', async () => {
    await prepare();
    expect(await modeOf(path)).toBe(0o755);
    expect(reported).toEqual([]);
  });

  test('gets mode 0711 if an earlier start has created it with mode 0700', async () => {
    await mkdir(path, { mode: 0o700 });
    await prepare();
    expect(await modeOf(path)).toBe(0o711);
    expect(await canEnter(path, unprivileged)).toBe(true);
    expect(reported).toEqual([`PostgreSQL's user could not enter ${path}. All users may enter it now.`]);
  });

  test('keeps its mode if the operating-system user of PostgreSQL can enter it', async () => {
    await mkdir(path);
    await chmod(path, 0o701);
    await prepare();
    expect(await modeOf(path)).toBe(0o701);
  });

  test('is not changed if it belongs to another user; the error names the remedy', async () => {
    await mkdir(path, { mode: 0o700 });
    await chown(path, 65_533, 65_533);
    await expect(prepare()).rejects.toThrow(
      `PostgreSQL's user (uid 65534) cannot enter ${path}. Allow all users to enter it and its parents with chmod a+x, then start again.`,
    );
    expect(await modeOf(path)).toBe(0o700);
  });

  test('cannot be prepared if a parent has mode 0700; the error names the remedy', async () => {
    await chmod(parent, 0o700);
    await expect(prepare()).rejects.toThrow('it and its parents with chmod a+x');
  });
});
