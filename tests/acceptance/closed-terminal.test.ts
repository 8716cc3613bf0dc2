import { expect, it } from 'vitest';
import { getPostgresOf } from './support/postgres-of.js';
import { openSandbox } from './support/sandbox.js';

const sandbox = openSandbox();

it('the server shuts down when its terminal is closed, and stops its embedded PostgreSQL', async () => {
  const dataDir = sandbox.newDataDir();
  const server = await sandbox.startServer({ dataDir });
  const ended = await server.kill('SIGHUP');
  expect(ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
  expect(ended.stdout).toContain('Stopping: finishing the requests in progress.');
  await expect(getPostgresOf(dataDir)).rejects.toThrow('No PostgreSQL runs');
});
