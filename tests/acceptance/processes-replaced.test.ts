import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { connectAsOwner } from '../proof/support/crash-postgres.js';
import { findViolations } from '../proof/support/effects.js';
import { beginSteadyLoad } from '../proof/support/steady-load.js';
import { createTenantsWithAccounts } from '../proof/support/tenants-with-accounts.js';
import { asOwner, getPostgresOf } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { until } from './support/until.js';
import { findWorkers, isRunning } from './support/workers-of.js';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const count = 3;
// The test starts nine processes: three at first, and three in each of two replacements under load.
const hangMsMax = 300_000;
const env = {
  CENTAVO_PROCESSES: String(count),
  LOG_LEVEL: 'info',
  RATE_LIMIT_ADMIN_PER_MINUTE: '0',
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
};
const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();

/** How many GET requests of this file were sent again, because their connection was closed. */
let resets = 0;

const countReplacements = ({ output }: Server) =>
  (output.match(/^All worker processes are replaced\.$/gm) ?? []).length;

/**
 * Sends a GET request on a new connection. A worker that is replaced may close the connection before it reads the request; then this
 * function sends the request once more, and counts this in `resets`.
 */
async function get({ origin }: Server, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const send = async () => {
    const response = await fetch(origin + path, { headers: { Connection: 'close' } });
    return { status: response.status, text: await response.text() };
  };
  return send().catch(() => {
    resets += 1;
    return send();
  });
}

async function countRequests(server: Server): Promise<number> {
  const { text } = await get(server, '/metrics');
  const counts = [...text.matchAll(/^centavo_http_requests_total\{route="\/v1[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, value]) => sum + Number(value), 0);
}

describe('SIGHUP', () => {
  it(
    'replaces all workers under load: no request gets an error, and the server stays ready and keeps its request count',
    async () => {
      const server = await sandbox.startServer({ dataDir, env });
      const tenants = await createTenantsWithAccounts(server.origin, 4);
      const before = await findWorkers(server, count);
      const load = beginSteadyLoad(server.origin, tenants);
      const { done, acknowledged } = load.results;
      const calls = () => done.sdkCalls + done.rawCalls;
      let counted = 0;
      for (let round = 1; round <= 2; round += 1) {
        const callsBefore = calls();
        await until('many requests were sent', () => calls() >= callsBefore + 100);
        process.kill(server.pid, 'SIGHUP');
        await until('all are replaced', async () => {
          const { status, text } = await get(server, '/health/ready');
          expect({ status, body: JSON.parse(text) }).toEqual({ status: 200, body: { status: 'ready' } });
          const now = await countRequests(server);
          expect(now).toBeGreaterThanOrEqual(counted);
          counted = now;
          return countReplacements(server) === round;
        });
      }
      const after = await findWorkers(server, count);
      await load.stop();
      expect(after.filter((pid) => before.includes(pid))).toEqual([]);
      expect(before.filter(isRunning)).toEqual([]);
      const { rawResets, ...errors } = load.results.errors;
      expect(errors).toEqual({ sdkErrors: 0, rawErrors: 0 });
      // Tolerates one reset in a thousand requests: a client may send a request on an idle connection while the server closes it.
      expect(rawResets * 1_000).toBeLessThanOrEqual(done.rawCalls);
      expect(resets).toBeLessThanOrEqual(1);
      const owner = await connectAsOwner((await getPostgresOf(dataDir)).connectionString);
      const found = await findViolations(owner, acknowledged);
      await owner.end();
      expect(Object.entries(found).filter(([, times]) => times > 0)).toEqual([]);
      expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' });
    },
    hangMsMax,
  );

  it('keeps the old workers if the new workers need migrations that the database lacks', async () => {
    const server = await sandbox.startServer({ dataDir, env });
    const before = await findWorkers(server, count);
    const { connectionString } = await getPostgresOf(dataDir);
    const [missing] = await asOwner(connectionString, async (client) => {
      const last = 'select name from public.centavo_migrations order by name desc limit 1';
      const { rows } = await client.query(
        `delete from public.centavo_migrations where name = (${last}) returning name, split_part(name, ' ', 1) as file`,
      );
      return rows;
    });
    process.kill(server.pid, 'SIGHUP');
    await server.prints(/^Some worker processes were not replaced\.$/m);
    expect([...(await findWorkers(server, count))].sort()).toEqual([...before].sort());
    await asOwner(connectionString, (client) =>
      client.query('insert into public.centavo_migrations (name) values ($1)', [missing.name]),
    );
    process.kill(server.pid, 'SIGHUP');
    await until('all are replaced', () => countReplacements(server) === 1);
    const { exitCode, stderr } = await server.kill('SIGTERM');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`The database lacks the migration ${missing.file} of this version. Restart the server`);
    expect(stderr).toMatch(
      /^The worker process \d+ ended with exit code 1 before it served\. The other workers continue\./m,
    );
  });

  it.skipIf(!hasOpenssl)(
    `loads a renewed certificate${hasOpenssl ? '' : ' (skipped: there is no openssl)'}`,
    async () => {
      const TLS_KEY_FILE = await sandbox.writeFile('key.pem', '');
      const TLS_CERT_FILE = join(dirname(TLS_KEY_FILE), 'certificate.pem');
      const first = makeCertificate({ TLS_CERT_FILE, TLS_KEY_FILE });
      const server = await sandbox.startServer({ dataDir, env: { ...env, TLS_CERT_FILE, TLS_KEY_FILE } });
      expect(await certificateOf(server)).toBe(first);
      const renewed = makeCertificate({ TLS_CERT_FILE, TLS_KEY_FILE });
      expect(await certificateOf(server)).toBe(first);
      process.kill(server.pid, 'SIGHUP');
      await until('all are replaced', () => countReplacements(server) === 1);
      for (let shown = 0; shown < 2 * count; shown += 1) expect(await certificateOf(server)).toBe(renewed);
      expect(await server.kill('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' });
    },
  );
});

/** Writes a new key and its certificate for 127.0.0.1. @returns the fingerprint of the certificate */
function makeCertificate(files: { readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string }): string {
  const request = ['req', '-x509', '-nodes', '-days', '2', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...names, '-keyout', files.TLS_KEY_FILE, '-out', files.TLS_CERT_FILE], {
    stdio: 'pipe',
  });
  return new X509Certificate(readFileSync(files.TLS_CERT_FILE)).fingerprint256;
}

/** Returns the fingerprint of the certificate that the server presents to a new connection. */
function certificateOf({ port }: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.end();
    });
    socket.once('error', reject);
  });
}
