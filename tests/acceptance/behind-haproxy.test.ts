import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectAsOwner } from '../proof/support/crash-postgres.js';
import { findViolations } from '../proof/support/effects.js';
import { runConcurrently } from '../proof/support/run-concurrently.js';
import { beginSteadyLoad } from '../proof/support/steady-load.js';
import { createTenantsWithAccounts, type TenantWithAccounts } from '../proof/support/tenants-with-accounts.js';
import { callsTo } from './support/call-api.js';
import { chooseFreePort } from './support/choose-free-port.js';
import { getPostgresOf } from './support/postgres-of.js';
import { repository } from './support/repository.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { type HaProxy, hasHaProxy, startHaProxy } from './support/start-haproxy.js';
import { until } from './support/until.js';

if (!hasHaProxy) process.stderr.write('haproxy is not installed: servers behind it are not tested.\n');

const restarts = 10;
// The test with ten restarts needs a longer timeout, because each restart takes DRAIN_DELAY_MS plus the start time.
const hangMsMax = 300_000;
/** The minimum number of requests between two restarts. */
const callsBetween = 100;

/** The servers of docs/operations.md, with the names and ports in that page. */
const members = [
  { name: 'one', documentedPort: '8081' },
  { name: 'two', documentedPort: '8082' },
  { name: 'three', documentedPort: '8083' },
] as const;

/** Returns the only code block of this language in docs/operations.md. */
async function documented(language: string): Promise<string> {
  const page = await readFile(join(repository, 'docs/operations.md'), 'utf8');
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
}

/** Returns the settings that are the same for all servers in docs/operations.md. */
async function documentedSettings(): Promise<Record<'TRUST_PROXY' | 'DRAIN_DELAY_MS', string>> {
  const page = await readFile(join(repository, 'docs/operations.md'), 'utf8');
  const [, proxies = '', delay = ''] =
    /^PORT=8081 TRUST_PROXY=(\d+) DRAIN_DELAY_MS=(\d+) centavo-server start$/m.exec(page) ?? [];
  expect([proxies, delay]).not.toContain('');
  return { TRUST_PROXY: proxies, DRAIN_DELAY_MS: delay };
}

describe.skipIf(!hasHaProxy)('three servers of one database behind HAProxy, set up as documented', () => {
  const sandbox = openSandbox();
  const dataDir = sandbox.newDataDir();
  let connectionString: string;
  let starts: (() => Promise<Server>)[];
  let servers: Server[];
  let proxy: HaProxy;
  let tenants: readonly TenantWithAccounts[];

  beforeAll(async () => {
    const first = await sandbox.startServer({ dataDir });
    ({ connectionString } = await getPostgresOf(dataDir));
    tenants = await createTenantsWithAccounts(first.origin, 4);
    const { TRUST_PROXY, DRAIN_DELAY_MS } = await documentedSettings();
    const env = { TRUST_PROXY, DRAIN_DELAY_MS, DATABASE_URL: connectionString, LOG_LEVEL: 'error' };
    const ports = await Promise.all(members.map(chooseFreePort));
    starts = ports.map((PORT) => () => sandbox.startServer({ env: { ...env, PORT } }));
    servers = await Promise.all(starts.map((start) => start()));
    const proxyPort = await chooseFreePort();
    let configuration = (await documented('haproxy')).replace('127.0.0.1:8080', `127.0.0.1:${proxyPort}`);
    for (const [index, { documentedPort }] of members.entries()) {
      configuration = configuration.replace(`127.0.0.1:${documentedPort}`, `127.0.0.1:${ports[index]}`);
    }
    proxy = await startHaProxy(sandbox, { configuration, origin: `http://127.0.0.1:${proxyPort}` });
    await waitUntilAllInRotation();
  });
  afterAll(() => proxy?.close());

  const waitUntilAllInRotation = () =>
    until('all servers get requests', async () =>
      (await Promise.all(members.map(({ name }) => proxy.isInRotation(name)))).every((isIn) => isIn),
    );

  it('rate-limit requests with wrong credentials by the client address that HAProxy sees, and ignore a forged X-Forwarded-For', async () => {
    // Each of the three servers limits the requests of an address separately. 80 requests exceed the sum of their limits.
    const answers = await runConcurrently({ times: 80, concurrency: 8 }, (client) =>
      callsTo(proxy.origin, { Authorization: 'Bearer nobody.has.this', 'X-Forwarded-For': `10.1.2.${client}` })(
        'GET /v1/financial/trackers',
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it(
    `are restarted ${restarts} times, one after the other under load, and no client gets an error`,
    async () => {
      const load = beginSteadyLoad(proxy.origin, tenants);
      const { done, errors, acknowledged } = load.results;
      const calls = () => done.sdkCalls + done.rawCalls;
      for (let restart = 0; restart < restarts; restart += 1) {
        const before = calls();
        await until('many requests were sent since the last restart', () => calls() >= before + callsBetween);
        const index = restart % servers.length;
        expect(await servers[index]?.kill('SIGTERM')).toMatchObject({ exitCode: 0, stderr: '' });
        servers[index] = (await starts[index]?.()) as Server;
        await waitUntilAllInRotation();
      }
      await load.stop();
      expect(errors).toEqual({ sdkErrors: 0, rawResets: 0, rawErrors: 0 });
      const owner = await connectAsOwner(connectionString);
      const found = await findViolations(owner, acknowledged);
      await owner.end();
      expect(Object.entries(found).filter(([, times]) => times > 0)).toEqual([]);
    },
    hangMsMax,
  );
});
