import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { cliProgram, repository, serverProgram } from '../../acceptance/support/repository.js';
import { startProgram } from '../../acceptance/support/start-program.js';
import { runToEnd } from '../support/run-to-end.js';

/** The lowest version that package.json allows, and the newest of each major version. The npm package `node` contains Node's binaries. */
const versions = ['20.19.0', '20', '22', '24', '26'];

test.each(versions)('the CLI imports a statement into the server if both run on Node %s', async (version) => {
  const { execPath, reported } = await fetchNode(version);
  expect(`v${reported}.`.startsWith(`v${version}.`)).toBe(true);

  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-runtime-'));
  // If root runs the test, PostgreSQL runs as another user, who needs access to this folder.
  await chmod(dataDir, 0o711);
  const server = startProgram({
    program: execPath,
    words: ['--max-semi-space-size=64', serverProgram],
    cwd: repository,
    env: { HOME: dataDir, DATA_DIR: join(dataDir, 'data'), PORT: '0', DEMO: 'on', RATE_LIMIT_WRITES_PER_MINUTE: '0' },
  });
  onTestFinished(async () => {
    await server.kill('SIGTERM');
    await rm(dataDir, { recursive: true, force: true, maxRetries: 12 });
  });
  const [, token = ''] = await server.prints(/CENTAVO_TOKEN=(\S+)/);
  const [, baseUrl = ''] = await server.prints(/CENTAVO_BASE_URL=(\S+)/);
  const centavo = (words: readonly string[]) =>
    startProgram({
      program: execPath,
      words: [cliProgram, ...words],
      cwd: repository,
      env: { HOME: dataDir, CENTAVO_TOKEN: token, CENTAVO_BASE_URL: baseUrl },
    }).ended;
  const imported = await centavo(['import', 'examples/household-2026.csv', '--create-categories', '--yes']);
  expect(imported).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^CREATED +234$/m) });
  const balances = await centavo(['balances']);
  expect(balances.stdout).toMatch(/^Everyday +Everyday +7318\.82 +EUR$/m);
  expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0 });
});

/** Downloads a version of Node with npx. Returns its path, so that a test can run it without npx, which does not pass on SIGTERM. */
async function fetchNode(version: string): Promise<{ execPath: string; reported: string }> {
  const script = 'JSON.stringify({ execPath: process.execPath, reported: process.versions.node })';
  const { stdout } = await runToEnd({
    program: 'npx',
    words: ['--yes', `--package=node@${version}`, '--', 'node', '-p', script],
    cwd: tmpdir(),
  });
  return JSON.parse(stdout) as { execPath: string; reported: string };
}
