import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callEveryOperation } from '../proof/support/call-every-operation.js';
import { createFullTenant } from '../proof/support/create-full-tenant.js';
import { countEffects, kinds } from '../proof/support/effects.js';
import { operations, type PreparedAccounts, prepareAccounts } from '../proof/support/prepared-writes.js';
import { isSuccess, retryUntilFinal } from '../proof/support/retry-until-final.js';
import { seededRandom } from '../proof/support/seeded-random.js';
import { startFickleReceiver } from '../proof/support/start-fickle-receiver.js';
import { addMember, createTenant, registerUser, succeed, type Tenant } from '../proof/support/tenants.js';
import { callsTo } from './support/call-api.js';
import { asOwner } from './support/postgres-of.js';
import { openSandbox, type Server } from './support/sandbox.js';
import { until } from './support/until.js';

// The connection string of a superuser on the coordinator of a Citus cluster with at least one other node. The roles centavo_app and
// centavo_definer must be able to log in to all its nodes. The tests do not delete their rows.
const citusUrl = process.env.CITUS_DATABASE_URL ?? '';
const citusNote = citusUrl === '' ? ' (skipped: CITUS_DATABASE_URL is not set)' : '';

describe.skipIf(citusUrl === '')(`a database distributed by Citus${citusNote}`, () => {
  const sandbox = openSandbox();
  const env = { DATABASE_URL: citusUrl, WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' };
  /** The kind of each write that succeeded during a fault, by its marker. */
  const written = new Map<string, (typeof kinds)[number]>();
  const accountsByTracker = new Map<string, Promise<PreparedAccounts>>();
  let server: Server;
  let tenants: Tenant[];

  beforeAll(async () => {
    const ended = await sandbox.runServer('shard', { env });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    server = await sandbox.startServer({ env });
    tenants = await Promise.all([1, 2, 3, 4].map(() => createTenant(server.origin)));
  });
  afterAll(async () => {
    const ended = await sandbox.runServer('check', { env });
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(' 0 contradictions.') });
  });

  const callsOf = (tenant: Tenant | undefined) => callsTo(server.origin, tenant?.asUser);

  it('is reported as already distributed by a second run of `centavo-server shard`', async () => {
    const ended = await sandbox.runServer('shard', { env });
    expect(ended).toMatchObject({
      exitCode: 0,
      stdout: 'All tables are distributed already. The SQL functions were replaced with those of this version.\n',
    });
  });

  it('stores the rows of one tracker on one node, and the rows of all trackers on several nodes', async () => {
    await Promise.all(tenants.map((tenant) => accountsOf(tenant, callsOf(tenant))));
    const found = await asOwner(citusUrl, async (owner) => {
      const { rows: ofOne } = await owner.query<{ nodes: number }>(
        `select count(distinct p.groupid)::int as nodes
         from unnest($1::uuid[]) as tracker (id)
           join pg_dist_partition t on t.partmethod = 'h'
           join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column(t.logicalrelid, tracker.id)
         group by tracker.id`,
        [tenants.map(({ trackerId }) => trackerId)],
      );
      const { rows: ofAll } = await owner.query<{ nodes: number }>(
        `select count(distinct groupid)::int as nodes
         from pg_dist_placement join pg_dist_shard using (shardid) where logicalrelid = 'app.movements'::regclass`,
      );
      return { ofOne: ofOne.map(({ nodes }) => nodes), ofAll: ofAll[0]?.nodes };
    });
    expect(found.ofOne).toEqual([1, 1, 1, 1]);
    expect(found.ofAll).toBeGreaterThan(1);
  });

  it.each(kinds)(
    'records %s once: a retry gets the data of the first response, and all concurrent duplicates get the same id',
    async (kind) => {
      for (const [index, tenant] of tenants.entries()) {
        const call = callsOf(tenant);
        const accounts = await accountsOf(tenant, call);
        const marker = `${kind}-${index}-${randomUUID()}`;
        const prepared = await operations[kind](accounts, marker);
        const send = () => call(prepared.methodAndPath, { headers: prepared.headers, body: prepared.body });
        const first = await send();
        expect(first).toMatchObject({ error: null });
        expect(await send()).toMatchObject({ status: 200, data: first.data, meta: { idempotentReplay: true } });
        const duplicatesMarker = `${kind}-duplicates-${randomUUID()}`;
        const duplicate = await operations[kind](accounts, duplicatesMarker);
        const answers = await Promise.all(
          Array.from({ length: 20 }, () =>
            call(duplicate.methodAndPath, { headers: duplicate.headers, body: duplicate.body }),
          ),
        );
        expect(new Set(answers.map(({ data }) => duplicate.idOf(data))).size).toBe(1);
        expect(await call(`GET ${prepared.pathOf(prepared.idOf(first.data))}`)).toMatchObject({ error: null });
        await expectOnce(kind, [marker, duplicatesMarker]);
      }
    },
  );

  it('records the items of a repeated bulk request once, and numbers all events of the tracker without a gap', async () => {
    const tenant = await createFullTenant(server.origin);
    const call = callsOf(tenant);
    const movements = [tenant.accountId, tenant.otherAccountId, tenant.accountId].map((accountId, index) => ({
      type: 'expense',
      amountDecimal: '1.00',
      accountId,
      idempotencyKey: `${tenant.trackerId}-${index}`,
    }));
    const send = () => call('POST /v1/financial/movements/bulk', { body: { mode: 'independent', movements } });
    expect(await send()).toMatchObject({ status: 200, meta: { bulk: { created: 3, replayed: 0, failed: 0 } } });
    expect(await send()).toMatchObject({ status: 200, meta: { bulk: { created: 0, replayed: 3, failed: 0 } } });
    const events = await asOwner(citusUrl, async (owner) => {
      await until('the events are numbered', async () => {
        const { rows } = await owner.query('select from app.audit_events where tracker_id = $1', [tenant.trackerId]);
        return rows.length === 0;
      });
      const { rows } = await owner.query<{ sequence: number }>(
        'select sequence::int from app.events where tracker_id = $1 order by sequence',
        [tenant.trackerId],
      );
      return rows.map(({ sequence }) => sequence);
    });
    expect(events).toEqual(events.map((_, index) => index + 1));
    expect(events.length).toBeGreaterThan(3);
  });

  it('immediately shows new movements in the change feed and new categories in the audit trail, and delivers movements to a webhook', async () => {
    const tenant = await createFullTenant(server.origin);
    const call = callsOf(tenant);
    const receiver = await startFickleReceiver({ random: seededRandom(1, 'receiver'), share: 0, hangsMax: 0 });
    const endpoint = await succeed(call, 'POST /v1/financial/webhooks', {
      body: { url: receiver.url, eventTypes: ['movement.*'], payload: 'record' },
    });
    receiver.secret = endpoint.secret;
    const { meta } = await call('GET /v1/financial/changes?from=now');
    let { cursor } = meta.feed;
    const delivered: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const movement = await succeed(call, 'POST /v1/financial/movements', {
        headers: { 'Idempotency-Key': randomUUID() },
        body: { type: 'expense', amountDecimal: '1.00', accountId: tenant.accountId },
      });
      const changes = await call(`GET /v1/financial/changes?after=${cursor}&include=record`);
      expect(changes).toMatchObject({ status: 200, data: [{ record: { id: movement.id } }] });
      ({ cursor } = changes.meta.feed);
      delivered.push(changes.data[0].id);
      await succeed(call, 'POST /v1/financial/categories', {
        headers: { 'Idempotency-Key': randomUUID() },
        body: { name: `Category ${turn}` },
      });
      const head = await succeed(call, 'GET /v1/financial/audit-events/head');
      const trail = await call('GET /v1/financial/audit-events?order=desc&limit=1');
      expect(trail).toMatchObject({ status: 200, data: [{ sequence: head.sequence, type: 'category.created' }] });
      ({ cursor } = (await call(`GET /v1/financial/changes?after=${cursor}`)).meta.feed);
    }
    await asOwner(citusUrl, (owner) =>
      until('the deliveries are recorded and the lease has ended', async () => {
        const { rows } = await owner.query(
          `select from app.webhook_endpoints e where e.id = $1 and e.leased_by is null and 5 = (
             select count(*) from app.webhook_deliveries d where d.endpoint_id = e.id and d.status = 'succeeded')`,
          [endpoint.id],
        );
        return rows.length === 1;
      }),
    );
    receiver.close();
    expect(receiver.seen.map(({ eventId }) => eventId).sort()).toEqual(delivered.sort());
    expect(receiver.seen.every(({ isVerified }) => isVerified)).toBe(true);
  });

  it('removes the old events of all trackers, after which GET /changes without a cursor returns 409 cursor_expired', async () => {
    const headsOf = () =>
      Promise.all(tenants.map((tenant) => succeed(callsOf(tenant), 'GET /v1/financial/audit-events/head')));
    const before = await headsOf();
    await asOwner(citusUrl, async (owner) => {
      await owner.query('set role centavo_identity');
      await until('all events older than now are removed', async () => {
        const { rows } = await owner.query('select app.remove_old_events(0, 10) as removed');
        return rows[0].removed === 0;
      });
    });
    expect(await headsOf()).toMatchObject(
      before.map(({ sequence, hash }) => ({ sequence, hash, floorSequence: sequence, floorHash: hash })),
    );
    for (const tenant of tenants) {
      expect(await callsOf(tenant)('GET /v1/financial/changes')).toMatchObject({
        status: 409,
        error: { details: { reason: 'cursor_expired' } },
      });
    }
  });

  it('serves every operation for a user with several trackers', async () => {
    const tenant = await createFullTenant(server.origin);
    for (const name of ['Shop', 'Club', 'Trip']) {
      const body = { name, currencyCode: 'EUR', timeZone: 'UTC' };
      await succeed(callsOf(tenant), 'POST /v1/financial/trackers', { body });
    }
    const guest = await registerUser(server.origin);
    expect(await callEveryOperation({ origin: server.origin, tenant, guest })).toEqual([]);
  });

  it('returns 200 for each of twelve repeated reads of movements, balances, budgets and trackers', async () => {
    const call = callsOf(tenants[0]);
    for (let turn = 0; turn < 12; turn += 1) {
      for (const path of [
        'movements?limit=2&includeTotal=true',
        'movements?type=expense&from=2020-01-01&limit=1',
        'accounts',
        'balances',
        'categories',
        'budgets',
        'context',
        'trackers',
      ]) {
        expect(await call(`GET /v1/financial/${path}`), path).toMatchObject({ status: 200 });
      }
    }
  });

  it('returns 403 for a tracker of another user, and hides its rows by row-level security, which all shards enforce', async () => {
    const [ours, theirs] = tenants as [Tenant, Tenant];
    const asNonMember = callsTo(server.origin, { ...ours.asUser, 'X-Service-Tracker-Id': theirs.trackerId });
    expect(await asNonMember('GET /v1/financial/movements')).toMatchObject({ status: 403 });
    await asOwner(citusUrl, async (owner) => {
      const seen = async (context: string) => {
        await owner.query('begin');
        await owner.query('set local role centavo_app');
        await owner.query(`set local citus.propagate_set_commands = 'local'`);
        await owner.query(`set local app.tracker_id = '${context}'`);
        const { rows } = await owner.query<{ rows: number }>(
          'select count(*)::int as rows from app.movements where tracker_id = $1',
          [theirs.trackerId],
        );
        await owner.query('rollback');
        return rows[0]?.rows ?? 0;
      };
      expect(await seen(theirs.trackerId)).toBeGreaterThan(0);
      expect([await seen(ours.trackerId), await seen('')]).toEqual([0, 0]);
      const { rows } = await owner.query<{ result: string }>(
        `select result from run_command_on_shards('app.movements',
           'select count(*) from pg_class where oid = ''%s''::regclass and relrowsecurity and relforcerowsecurity')`,
      );
      expect(rows.filter(({ result }) => result !== '1')).toEqual([]);
    });
  });

  it('keeps the sum of two balances constant during concurrent transfers in both directions', async () => {
    const call = callsOf(tenants[1]);
    const { accountId, otherAccountId } = await accountsOf(tenants[1], call);
    const sum = async () => {
      const { data } = await call('GET /v1/financial/balances');
      const cents = data.map(({ balanceDecimal }: { balanceDecimal: string }) =>
        Math.round(100 * Number(balanceDecimal)),
      );
      return cents.reduce((total: number, next: number) => total + next, 0);
    };
    const before = await sum();
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        const [fromAccountId, toAccountId] =
          index % 2 === 0 ? [accountId, otherAccountId] : [otherAccountId, accountId];
        const headers = { 'Idempotency-Key': randomUUID() };
        return retryUntilFinal('a transfer', () =>
          call('POST /v1/financial/transfers', {
            headers,
            body: { amountDecimal: '1.00', fromAccountId, toAccountId },
          }),
        );
      }),
    );
    expect(answers.every(isSuccess)).toBe(true);
    expect(await sum()).toBe(before);
  });

  it('rejects the writes of a former member after the response that confirms the removal', async () => {
    const [owner, guest] = tenants as [Tenant, Tenant];
    const asOwnerUser = callsTo(server.origin, owner.asUser);
    const asGuest = callsTo(server.origin, { ...guest.asUser, 'X-Service-Tracker-Id': owner.trackerId });
    const { accountId } = await accountsOf(owner, callsOf(owner));
    const user = { email: guest.email, headers: guest.asUser };
    await addMember(server.origin, { asOwner: owner.asUser, trackerId: owner.trackerId, user, role: 'editor' });
    const write = () =>
      asGuest('POST /v1/financial/movements', {
        headers: { 'Idempotency-Key': randomUUID() },
        body: { type: 'expense', amountDecimal: '1.00', accountId },
      });
    expect(await write()).toMatchObject({ status: 201 });
    const ended = await asOwnerUser(`DELETE /v1/financial/trackers/${owner.trackerId}/members/${guest.userId}`);
    expect(ended.status).toBe(204);
    expect(await write()).toMatchObject({ status: 403 });
  });

  it('runs each write once when the server is killed repeatedly', async () => {
    await writeDuring(async (isOver) => {
      for (let kill = 0; kill < 3 && !isOver(); kill += 1) {
        await server.kill('SIGKILL');
        server = await sandbox.startServer({ env });
      }
    });
  });

  it('runs each write once when the connections between the nodes are cut', async () => {
    await writeDuring(async (isOver) => {
      await asOwner(citusUrl, async (owner) => {
        while (!isOver()) {
          // Waits for some writes between two cuts. If the connections were cut all the time, no write could succeed.
          const enough = written.size + 4;
          await until('more writes have succeeded', () => isOver() || written.size >= enough);
          await owner.query(
            `select run_command_on_workers($$ select count(pg_terminate_backend(pid)) from pg_stat_activity
               where usename in ('centavo_app', 'centavo_definer') and pid <> pg_backend_pid() $$)`,
          );
        }
      });
    });
  });

  /**
   * Sends writes of several kinds in every tracker during a fault, and retries each until it gets a final response. Then checks that each
   * write took effect once.
   */
  async function writeDuring(fault: (isOver: () => boolean) => Promise<void>): Promise<void> {
    let isOver = false;
    const run = `${randomUUID()}`;
    const writing = Promise.all(
      tenants.map(async (tenant, index) => {
        // Reads the variable `server` for each attempt, because the fault may have replaced the server.
        const call: ReturnType<typeof callsTo> = (path, options) => callsOf(tenant)(path, options);
        const accounts = await accountsOf(tenant, call);
        for (let turn = 0; turn < 6; turn += 1) {
          for (const kind of ['an expense', 'a transfer', 'a category', 'a budget'] as const) {
            const marker = `${run}-${kind}-${index}-${turn}`;
            const prepared = await operations[kind](accounts, marker);
            const send = () => call(prepared.methodAndPath, { headers: prepared.headers, body: prepared.body });
            const answer = await retryUntilFinal(marker, send);
            expect(isSuccess(answer), JSON.stringify(answer.error)).toBe(true);
            written.set(marker, kind);
          }
        }
      }),
    ).finally(() => {
      isOver = true;
    });
    await Promise.all([writing, fault(() => isOver)]);
    // If a fault interrupts a commit between its two phases, the rows become visible only after this recovery.
    await asOwner(citusUrl, (owner) => owner.query('select recover_prepared_transactions()'));
    for (const kind of kinds) {
      await expectOnce(
        kind,
        [...written]
          .filter(([marker, writtenKind]) => writtenKind === kind && marker.startsWith(run))
          .map(([marker]) => marker),
      );
    }
  }

  async function expectOnce(kind: (typeof kinds)[number], markers: readonly string[]): Promise<void> {
    const counts = await asOwner(citusUrl, async (owner) => {
      const found: number[] = [];
      for (const marker of markers) found.push(await countEffects(owner, { kind, marker }));
      return found;
    });
    expect(counts.filter((count) => count !== 1)).toEqual([]);
  }

  /** Creates the records that the writes of a tenant need, once for each tenant. Returns them with `call`, which sends the writes. */
  function accountsOf(tenant: Tenant | undefined, call: ReturnType<typeof callsTo>): Promise<PreparedAccounts> {
    const key = tenant?.trackerId ?? '';
    const accounts = accountsByTracker.get(key) ?? prepareAccounts(call);
    accountsByTracker.set(key, accounts);
    return accounts.then((known) => ({ ...known, call }));
  }
});
