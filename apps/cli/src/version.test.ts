import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { cliVersion } from './version.js';

it('cliVersion equals the version of package.json', async () => {
  const manifest = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as object;
  expect(manifest).toMatchObject({ version: cliVersion });
});
