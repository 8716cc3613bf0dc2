import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { callsTo } from './support/call-api.js';
import { chooseFreePort } from './support/choose-free-port.js';
import { findPostgresOf, getPostgresOf } from './support/postgres-of.js';
import { repository, serverProgram } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { until } from './support/until.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir });
});

describe('a server with DEMO=on and REGISTRATION=closed', () => {
  it('creates the demo accounts at the second start if the first start failed because its port was in use', async () => {
    const otherDataDir = sandbox.newDataDir();
    const env = { DEMO: 'on', REGISTRATION: 'closed' };
    const failed = await sandbox.runServer('start', { dataDir: otherDataDir, env: { ...env, PORT: server.port } });
    expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is in use. Set PORT') });

    const demo = await sandbox.startServer({ dataDir: otherDataDir, env });
    const [, token = ''] = /export CENTAVO_TOKEN=(\S+)/.exec(demo.output) ?? [];
    const call = callsTo(demo.origin, { Authorization: `Bearer ${token}` });
    expect((await call('GET /v1/financial/accounts')).data).toHaveLength(3);
    const body = { email: 'eve@example.org', password: 'choose a long one' };
    expect(await callsTo(demo.origin)('POST /v1/identity/users', { body })).toMatchObject({ status: 409 });
    await demo.kill('SIGTERM');
  });
});

describe('a DATABASE_URL that the server cannot use', () => {
  it.each([
    [
      'start',
      'a URL without a password',
      (url: URL) => Object.assign(url, { password: '' }),
      /^DATABASE_URL has the user centavo without a password, and the PostgreSQL at 127\.0\.0\.1:\d+ requires one\. Add it to DATABASE_URL\.$/m,
    ],
    ['check', 'a URL without a password', (url: URL) => Object.assign(url, { password: '' }), /without a password/],
    [
      'start',
      'a URL with a wrong password',
      (url: URL) => Object.assign(url, { password: 'hunter2' }),
      /^The PostgreSQL of DATABASE_URL at 127\.0\.0\.1:\d+ refused: password authentication failed/m,
    ],
    [
      'start',
      'a URL with a database that does not exist',
      (url: URL) => Object.assign(url, { pathname: '/nodb' }),
      /refused: database "nodb" does not exist\. Create it/,
    ],
  ])(
    'makes `centavo-server %s` exit with 1 and print the reason, but no password: %s',
    async (command, _, change, message) => {
      const { connectionString } = await getPostgresOf(dataDir);
      const env = { DATABASE_URL: change(new URL(connectionString)).href };
      const { exitCode, signal, stderr } = await sandbox.runServer(command, { env });
      expect({ exitCode, signal }).toEqual({ exitCode: 1, signal: null });
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('hunter2');
    },
  );

  it('makes the start fail if a server other than PostgreSQL answers', async () => {
    const otherServer = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    otherServer.listen(0, '127.0.0.1');
    await once(otherServer, 'listening');
    const { port } = otherServer.address() as { port: number };
    const env = { DATABASE_URL: `postgres://ana:hunter2@127.0.0.1:${port}/books` };
    const { exitCode, stderr } = await sandbox.runServer('start', { env });
    otherServer.close();
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`The server at 127.0.0.1:${port} does not answer like PostgreSQL`),
    });
  });
});

describe('a server whose output pipe is closed', () => {
  it('continues to serve, and shuts down with exit code 0', async () => {
    const port = String(await chooseFreePort());
    const otherDataDir = sandbox.newDataDir();
    const child = spawn(process.execPath, [serverProgram, 'start'], {
      cwd: repository,
      env: { PATH: process.env.PATH ?? '', PORT: port, DATA_DIR: otherDataDir },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(child, 'exit');
    // Closes the pipe after the first line, before the server prints its address, as "head -1" does.
    await once(child.stdout, 'data');
    child.stdout.destroy();
    try {
      const isLive = () =>
        fetch(`http://127.0.0.1:${port}/health/live`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until('the server answers', isLive);
      expect(await isLive()).toBe(true);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
    expect(await findPostgresOf(otherDataDir)).toBeUndefined();
  });
});

describe('the command line of centavo-server', () => {
  it.each([
    ['foo', /^Unknown command foo\.\n\nUsage:/],
    ['--foo', /^Unknown option --foo\./],
    ['start --port 99', /^start takes no options, but --port was given; set PORT/],
    ['check --foo', /^check takes the option --chain only, but --foo was given/],
    ['legacy-key', /^legacy-key needs the subcommand create\./],
  ])('names the wrong or missing argument and exits with 2: %s', async (words, message) => {
    const { exitCode, stdout, stderr } = await sandbox.runServer(words, {});
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('prints its version with --version, and its commands with --help', async () => {
    expect(await sandbox.runServer('--version', {})).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    expect(await sandbox.runServer('--help', {})).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('database-url'),
    });
  });
});
