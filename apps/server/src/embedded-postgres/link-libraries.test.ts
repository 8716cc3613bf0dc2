import { mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { linkLibraries } from './link-libraries.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'centavo-libraries-'));
  await mkdir(join(root, 'native', 'lib'), { recursive: true });
  await writeFile(join(root, 'native', 'lib', 'libpq.so.5.18'), 'library');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const listLinks = (links: readonly { source: string; target: string }[]) =>
  writeFile(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links));

const twoLinks = [
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so' },
  { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' },
];

describe('the links between the libraries of PostgreSQL', () => {
  test('are created when no install script created them', async () => {
    await listLinks(twoLinks);
    await linkLibraries(root);
    expect(await readlink(join(root, 'native', 'lib', 'libpq.so'))).toBe('libpq.so.5.18');
    expect(await readlink(join(root, 'native', 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18');
  });

  test('do not replace an existing file that has the name of a link; the missing links are created', async () => {
    await listLinks(twoLinks);
    await writeFile(join(root, 'native', 'lib', 'libpq.so.5'), 'a copy');
    await linkLibraries(root);
    await expect(readlink(join(root, 'native', 'lib', 'libpq.so.5'))).rejects.toMatchObject({ code: 'EINVAL' });
    expect(await readlink(join(root, 'native', 'lib', 'libpq.so'))).toBe('libpq.so.5.18');
  });

  test('can be created by four concurrent starts without an error', async () => {
    await listLinks(twoLinks);
    await expect(Promise.all([1, 2, 3, 4].map(() => linkLibraries(root)))).resolves.toBeDefined();
  });

  test('are not created, and no error occurs, if the PostgreSQL package of the platform lists none', async () => {
    await expect(linkLibraries(root)).resolves.toBeUndefined();
  });

  test('cause an error that names the remedies if they cannot be created', async () => {
    await listLinks([{ source: 'native/missing/libpq.so.5.18', target: 'native/missing/libpq.so' }]);
    await expect(linkLibraries(root)).rejects.toThrow(/cannot be created \(ENOENT\).*install scripts.*DATABASE_URL/);
  });
});
