import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findInstallation, platformDataDirectory } from './installation.js';

async function makeRoot(name: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), name));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

const urlOf = (path: string) => pathToFileURL(path).href;

describe('findInstallation', () => {
  test('returns the files of a checkout, and a data directory in its root', async () => {
    const root = await makeRoot('centavo-checkout-');
    await writeFile(join(root, 'pnpm-workspace.yaml'), '');
    expect(findInstallation(urlOf(join(root, 'apps/server/dist/main.js')), { XDG_DATA_HOME: '/data' })).toEqual({
      defaultDataDir: join(root, '.centavo'),
      docs: join(root, 'docs'),
      migrations: join(root, 'apps/server/migrations'),
      cliCommand: 'node apps/cli/dist/main.js',
      sampleStatement: 'examples/household-2026.csv',
    });
  });

  test('returns files inside an installed package, and a data directory outside of it', async () => {
    const server = join(await makeRoot('centavo-package-'), 'node_modules/@centavo/server');
    await mkdir(server, { recursive: true });
    expect(findInstallation(urlOf(join(server, 'dist/main.js')), { XDG_DATA_HOME: '/data' })).toEqual({
      defaultDataDir: '/data/centavo',
      docs: join(server, 'dist/docs'),
      migrations: join(server, 'migrations'),
      cliCommand: 'centavo',
      sampleStatement: join(server, 'dist/examples/household-2026.csv'),
    });
  });

  test('quotes the path of the sample bank statement if the path contains spaces', async () => {
    const server = join(await makeRoot('centavo with blanks '), 'node_modules/@centavo/server');
    const { sampleStatement } = findInstallation(urlOf(join(server, 'dist/main.js')), {});
    expect(sampleStatement).toBe(`"${join(server, 'dist/examples/household-2026.csv')}"`);
  });
});

describe('platformDataDirectory', () => {
  const home = '/home/ana';
  test.each([
    { platform: 'linux', env: {}, expected: '/home/ana/.local/share/centavo' },
    { platform: 'linux', env: { XDG_DATA_HOME: '/data' }, expected: '/data/centavo' },
    { platform: 'linux', env: { XDG_DATA_HOME: 'relative' }, expected: '/home/ana/.local/share/centavo' },
    { platform: 'linux', env: { XDG_DATA_HOME: '' }, expected: '/home/ana/.local/share/centavo' },
    { platform: 'darwin', env: {}, expected: '/home/ana/Library/Application Support/centavo' },
    { platform: 'darwin', env: { XDG_DATA_HOME: '/data' }, expected: '/data/centavo' },
    {
      platform: 'win32',
      env: { LOCALAPPDATA: 'C:\\Users\\Ana\\AppData\\Local' },
      expected: 'C:\\Users\\Ana\\AppData\\Local\\centavo\\Data',
    },
  ] as const)('returns $expected on $platform with $env', ({ platform, env, expected }) => {
    expect(platformDataDirectory({ platform, env, home })).toBe(expected);
  });

  test('returns a directory below the home directory on Windows without LOCALAPPDATA', () => {
    expect(platformDataDirectory({ platform: 'win32', env: {}, home: 'C:\\Users\\Ana' })).toBe(
      'C:\\Users\\Ana\\AppData\\Local\\centavo\\Data',
    );
  });
});
