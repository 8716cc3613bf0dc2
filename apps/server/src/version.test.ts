import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { serverVersion } from './version.js';

it('serverVersion equals the version of package.json', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as object;
  expect(manifest).toMatchObject({ version: serverVersion });
});
