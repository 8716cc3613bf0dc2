import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseFreePort } from './support/choose-free-port.js';
import { repository } from './support/repository.js';
import { openSandbox } from './support/sandbox.js';
import { hasNginx, startNginx } from './support/start-nginx.js';
import { startProgram } from './support/start-program.js';

const deploy = join(repository, 'deploy');
const tlsFiles = join(repository, 'apps/server/test-support/tls-files');

/** `systemd-analyze security` has had the option `--offline` since systemd 250. */
const systemdVersion = Number(
  /\d+/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout ?? ''),
);
const hasSystemdAnalyze = systemdVersion >= 250;

if (!hasNginx) process.stderr.write('nginx is not installed: deploy/nginx/centavo.conf is not tested.\n');
if (!hasSystemdAnalyze) process.stderr.write('systemd-analyze 250 is not installed: deploy/systemd is not tested.\n');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'centavo-deploy-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.skipIf(!hasSystemdAnalyze)('the units of deploy/systemd', () => {
  /** Copies the units, and writes `/bin/true` as their program, because `verify` requires that the program exists. */
  async function copyUnits(): Promise<string[]> {
    const units = await readdir(join(deploy, 'systemd'));
    for (const unit of units) {
      const text = await readFile(join(deploy, 'systemd', unit), 'utf8');
      await writeFile(join(directory, unit), text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
    }
    return units;
  }

  it('pass systemd-analyze verify without a message', async () => {
    for (const unit of await copyUnits()) {
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', join(directory, unit)], {
        encoding: 'utf8',
      });
      expect({ unit, status, stdout, stderr }).toEqual({ unit, status: 0, stdout: '', stderr: '' });
    }
  });

  it('have an exposure of at most 1.5 according to systemd-analyze security', async () => {
    const services = (await copyUnits()).filter((unit) => unit.endsWith('.service'));
    expect(services).toHaveLength(3);
    for (const unit of services) {
      const words = ['security', '--offline=true', '--threshold=15', join(directory, unit)];
      const { status, stdout } = spawnSync('systemd-analyze', words, { encoding: 'utf8' });
      expect({ unit, status, stdout }).toMatchObject({ unit, status: 0 });
    }
  });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

describe.skipIf(!hasNginx)('a server behind nginx with deploy/nginx/centavo.conf', () => {
  const sandbox = openSandbox();
  let plainPort: string;
  let tlsPort: string;
  let stopNginx: (() => Promise<void>) | undefined;
  let certificate: string;

  /** Sends a request over HTTPS. Accepts the self-signed certificate of the tests with any host name. */
  function send(
    path: string,
    request: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string } = {},
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body } = request;
      const options = { port: tlsPort, host: '127.0.0.1', path, method, headers, ca: certificate };
      const sent = sendHttps({ ...options, checkServerIdentity: () => undefined }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  const sendJson = async (path: string, body: object, token?: string) => {
    const headers = { 'Content-Type': 'application/json', ...(token === undefined ? {} : { Authorization: token }) };
    const { status, text } = await send(path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status, data: JSON.parse(text).data };
  };

  beforeAll(async () => {
    certificate = await readFile(join(tlsFiles, 'certificate.pem'), 'utf8');
    const server = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env: { TRUST_PROXY: '1' } });
    [plainPort, tlsPort] = [await chooseFreePort(), await chooseFreePort()];
    const site = (await readFile(join(deploy, 'nginx/centavo.conf'), 'utf8'))
      .replaceAll(/^ *listen \[::\].*$/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${plainPort};`)
      .replace('listen 443 ', `listen 127.0.0.1:${tlsPort} `)
      .replace('server 127.0.0.1:8080;', `server 127.0.0.1:${server.port};`)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${tlsFiles}/certificate.pem;`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${tlsFiles}/key.pem;`);
    stopNginx = await startNginx({
      directory: join(directory, 'nginx'),
      site,
      isListening: async () => (await send('/health/ready')).status === 200,
    });
  });
  afterAll(() => stopNginx?.());

  it('serves the API over HTTPS: a user registers, logs in and creates a tracker', async () => {
    const user = { email: 'ana@example.org', password: 'correct horse battery' };
    expect((await sendJson('/v1/identity/users', { ...user, displayName: 'Ana' })).status).toBe(201);
    const session = await sendJson('/v1/identity/sessions', user);
    const tracker = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };
    const created = await sendJson('/v1/financial/trackers', tracker, `Bearer ${session.data.accessToken}`);
    expect(created).toMatchObject({ status: 201, data: { name: 'Home' } });
  });

  it('keeps the HSTS and nosniff headers of the server, and hides the version of nginx', async () => {
    const { headers } = await send('/health/live');
    expect(headers['strict-transport-security']).toMatch(/^max-age=31536000/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers.server).toBe('nginx');
  });

  it('redirects HTTP to HTTPS', async () => {
    const { status, location } = await new Promise<{ status?: number; location?: string }>((resolve, reject) => {
      const options = { port: plainPort, host: '127.0.0.1', path: '/docs?a=1', headers: { Host: 'books.example.org' } };
      sendHttp(options, (response) => {
        response.resume();
        resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
      })
        .on('error', reject)
        .end();
    });
    expect({ status, location }).toEqual({ status: 308, location: 'https://books.example.org/docs?a=1' });
  });

  it('returns 403 for /metrics', async () => {
    expect((await send('/metrics')).status).toBe(403);
  });

  it('refuses a body above 64 KiB with 413, and forwards a body of 64 KiB', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const sendBytes = (length: number) =>
      send('/v1/identity/users', { method: 'POST', headers, body: `"${'a'.repeat(length - 2)}"` });
    expect((await sendBytes(65_537)).status).toBe(413);
    const { status, text } = await sendBytes(65_536);
    expect({ status, code: JSON.parse(text).error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });

  it('rate-limits requests with wrong credentials by the client address that nginx sees, and ignores a forged X-Forwarded-For', async () => {
    const statuses = new Set<number>();
    for (let client = 0; client < 40; client += 1) {
      const headers = { Authorization: 'Bearer nobody.has.this', 'X-Forwarded-For': `10.1.2.${client}` };
      statuses.add((await send('/v1/financial/trackers', { headers })).status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});

describe('deploy/centavo-backup', () => {
  /** Runs the script. Shell scripts replace `pg_dump` and `pg_restore`. */
  async function backUp(programs: { readonly pgDump: string; readonly pgRestore: string }) {
    const bin = await mkdtemp(join(directory, 'bin-'));
    for (const [name, text] of Object.entries({ pg_dump: programs.pgDump, pg_restore: programs.pgRestore })) {
      await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
      await chmod(join(bin, name), 0o755);
    }
    const backups = await mkdtemp(join(directory, 'backups-'));
    const old = join(backups, 'centavo-2020-01-01T000000Z.dump');
    const other = join(backups, 'other.txt');
    for (const file of [old, other]) {
      await writeFile(file, '');
      await utimes(file, 0, 0);
    }
    const { exitCode } = await startProgram({
      program: join(deploy, 'centavo-backup'),
      words: [backups],
      cwd: directory,
      env: { PATH: `${bin}:${process.env.PATH}`, BACKUP_DAYS: '7' },
    }).ended;
    return { exitCode, files: (await readdir(backups)).sort(), backups };
  }

  // Writes to the file that the second argument, `--file=…`, names. `cut` removes `--file=`, the first seven characters.
  const dump = 'echo data >"$(echo "$2" | cut -c8-)"';

  it('writes one dump that only its owner can read, and deletes old dumps and nothing else', async () => {
    const { exitCode, files, backups } = await backUp({ pgDump: dump, pgRestore: 'true' });
    expect(exitCode).toBe(0);
    expect(files).toEqual([expect.stringMatching(/^centavo-\d{4}-\d\d-\d\dT\d{6}Z\.dump$/), 'other.txt']);
    const file = join(backups, files[0] ?? '');
    expect(await readFile(file, 'utf8')).toBe('data\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['pg_dump fails', { pgDump: `${dump}; exit 1`, pgRestore: 'true' }],
    ['the dump cannot be read', { pgDump: dump, pgRestore: 'exit 1' }],
  ])('fails, leaves no file behind and keeps the old dumps when %s', async (_, programs) => {
    const { exitCode, files } = await backUp(programs);
    expect(exitCode).not.toBe(0);
    expect(files).toEqual(['centavo-2020-01-01T000000Z.dump', 'other.txt']);
  });
});
