import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { writeFileAtomically } from './files.js';

const newPath = async () =>
  join(await mkdtemp(join(tmpdir(), 'centavo-write-')), 'profiles', 'default', 'profile.json');

it('writeFileAtomically replaces the whole file, and leaves no temporary file', async () => {
  const path = await newPath();
  await writeFileAtomically(path, 'a longer text');
  await writeFileAtomically(path, 'short');
  expect(await readFile(path, 'utf8')).toBe('short');
  expect(await readdir(dirname(path))).toEqual(['profile.json']);
});

it.skipIf(process.platform === 'win32')(
  'writeFileAtomically creates a file and directories that only their owner can read',
  async () => {
    const path = await newPath();
    await writeFileAtomically(path, 'secret');
    const modeOf = async (place: string) => (await stat(place)).mode & 0o777;
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(dirname(path))).toBe(0o700);
    expect(await modeOf(dirname(dirname(path)))).toBe(0o700);
  },
);
