import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { createMarkedTenant, foreignFinder, type MarkedTenant, requestOf } from './support/canaries.js';
import { openCashboxLocks } from './support/lock-cashboxes.js';
import { isLate, isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';

const tenantCount = 50;
const requests = isLong ? 300_000 : 3_000;
const clients = 24;
const abortsShare = 0.06;
const requestsPerCancel = 40;
const requestsPerTermination = 150;
const requestsPerReload = 400;
const requestsPerLock = 2_500;
// Longer than the lock timeout of a statement.
const lockMs = 2_500;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();

it(
  'the server never shows the data of one tenant to another while they share three connections and requests are cut off',
  async () => {
    const server = await sandbox.startServer({
      dataDir,
      env: { DATABASE_POOL_MAX: '3', LOG_LEVEL: 'trace', RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' },
    });
    const { connectionString } = await getPostgresOf(dataDir);
    const tenants: MarkedTenant[] = [];
    while (tenants.length < tenantCount) {
      tenants.push(...(await Promise.all(Array.from({ length: 10 }, () => createMarkedTenant(server.origin)))));
    }
    const owner = new pg.Client({ connectionString });
    await owner.connect();
    const locks = await openCashboxLocks(connectionString);
    const foreignIn = foreignFinder(tenants);
    const injected = newTally(
      'successes',
      'refusals',
      'unavailable',
      'aborts',
      'cancels',
      'terminations',
      'reloads',
      'holds',
    );
    const violations = newTally('foreignCanaries', 'foreignIds', 'ownWordsMissing', 'internalErrors', 'canariesInLogs');
    let sent = 0;
    let locking = Promise.resolve();

    /** Cancels or terminates a backend that is running a statement of the server. */
    async function disturb(act: 'pg_cancel_backend' | 'pg_terminate_backend'): Promise<number> {
      const { rowCount } = await owner.query(
        `select ${act}(pid) from pg_stat_activity where application_name = 'centavo-server' and state <> 'idle' limit 1`,
      );
      return rowCount ?? 0;
    }

    async function lockForAWhile(tenant: MarkedTenant): Promise<void> {
      await locks.lock([tenant.accounts.accountId]);
      await delay(lockMs);
      await locks.release();
    }

    async function send(number: number): Promise<void> {
      const random = seededRandom(proofSeed, `request ${number}`);
      const me = random.oneOf(tenants as [MarkedTenant, ...MarkedTenant[]]);
      const other = random.oneOf(tenants as [MarkedTenant, ...MarkedTenant[]]);
      const request = requestOf(me, other, random);
      const [method = '', path = ''] = request.methodAndPath.split(' ');
      const { signal, cancel } = abortLater(random.hits(abortsShare) ? random.next() * 20 : null);
      try {
        const response = await fetch(server.origin + path, {
          method,
          headers: { ...me.asProgram, ...request.headers },
          ...(request.body === undefined ? {} : { body: request.body }),
          signal,
        });
        const body = await response.text();
        const text = `${[...response.headers].flat().join('\n')}\n${body}`;
        const found = foreignIn(text, me, JSON.stringify(request));
        violations.foreignCanaries += found.filter((kind) => kind === 'canary').length;
        violations.foreignIds += found.filter((kind) => kind === 'id').length;
        if (response.status === 500) violations.internalErrors += 1;
        injected[response.status < 300 ? 'successes' : response.status < 500 ? 'refusals' : 'unavailable'] += 1;
        // The response must contain the tenant's own canary. Otherwise the absence of canaries of other tenants proves nothing.
        if (path === '/v1/financial/accounts' && response.status === 200 && !body.includes(me.canary))
          violations.ownWordsMissing += 1;
        const etag = response.headers.get('ETag');
        if (response.status === 201 && etag !== null && path.endsWith('/movements')) {
          me.movements.splice(0, me.movements.length, { id: JSON.parse(body).data.id, etag });
        }
      } catch (error) {
        if (!signal.aborted) throw error;
        injected.aborts += 1;
      } finally {
        cancel();
      }
    }

    async function client(): Promise<void> {
      while (sent < requests && !isLate()) {
        sent += 1;
        const number = sent;
        if (number % requestsPerCancel === 0) injected.cancels += await disturb('pg_cancel_backend');
        if (number % requestsPerTermination === 0) injected.terminations += await disturb('pg_terminate_backend');
        if (number % requestsPerReload === 0) {
          injected.reloads += 1;
          await owner.query('select pg_reload_conf()');
        }
        if (number % requestsPerLock === requestsPerLock / 2) {
          injected.holds += 1;
          locking = locking.then(() => lockForAWhile(tenants[number % tenantCount] as MarkedTenant));
        }
        await send(number);
      }
    }

    await Promise.all(Array.from({ length: clients }, client));
    await locking;
    await Promise.all([owner.end(), locks.end()]);
    const { stdout, stderr } = await server.kill('SIGTERM');
    const logs = stdout + stderr + (await readFile(join(dataDir, 'postgres.log'), 'utf8').catch(() => ''));
    violations.canariesInLogs = logs.match(/canary-[0-9a-f]{12}/g)?.length ?? 0;

    await recordProof({
      id: 'T10',
      promise: `${tenantCount} tenants who share three connections see no text or id of another tenant while requests are cut off`,
      seed: proofSeed,
      injected: { requests: sent, ...injected },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  proofMsMax,
);

/** Returns a signal that aborts after the delay, or never if the delay is null. After `cancel`, it no longer aborts. */
function abortLater(afterMs: number | null): { readonly signal: AbortSignal; readonly cancel: () => void } {
  const controller = new AbortController();
  if (afterMs === null) return { signal: controller.signal, cancel: () => {} };
  const timer = setTimeout(() => controller.abort(), afterMs);
  return { signal: controller.signal, cancel: () => clearTimeout(timer) };
}
