import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Call, callsTo } from '../acceptance/support/call-api.js';
import { chooseFreePort } from '../acceptance/support/choose-free-port.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { openBooks } from './support/intents.js';
import { isLate, isLong, proofSeed, recordProof, shareMs } from './support/proof-record.js';
import { chanceOf } from './support/seeded-chance.js';
import { type FickleReceiver, startFickleReceiver } from './support/start-fickle-receiver.js';
import { settleTenant, succeed, type Tenant } from './support/tenants.js';

const goal = isLong
  ? { requests: 1_000, items: 100, kills: 40, revocations: 1_000, hangsMax: 20 }
  : { requests: 4, items: 50, kills: 2, revocations: 4, hangsMax: 1 };
const endpointCount = 3;
/** The maximum number of waiting deliveries, so that the faults of receivers and servers are spread over all deliveries. */
const backlogMax = 2_000;
const env = {
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  RATE_LIMIT_ADMIN_PER_MINUTE: '0',
  LOG_LEVEL: 'error',
};

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const receivers: FickleReceiver[] = [];
let owner: pg.Client;
let tenant: Tenant;
let write: Call;
let accountId: string;
let starts: (() => Promise<Server>)[];
let servers: Server[];
let timer: NodeJS.Timeout;

beforeAll(async () => {
  const ports = [await chooseFreePort(), await chooseFreePort()];
  starts = ports.map((PORT) => () => sandbox.startServer({ dataDir, env: { ...env, PORT } }));
  servers = [];
  for (const start of starts) servers.push(await start());
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  tenant = await settleTenant(first().origin);
  write = callsTo(first().origin, tenant.asProgram);
  ({ accountId } = await openBooks(callsTo(first().origin, tenant.asUser)));
  // Saves waiting time: makes all deliveries due that wait for their next attempt.
  timer = setInterval(() => {
    void owner
      .query(
        `update app.webhook_deliveries set next_attempt_at = now() where status = 'pending' and next_attempt_at > now()`,
      )
      .then(() => owner.query('update app.webhook_endpoints set retry_at = now() where retry_at > now()'))
      .then(() => owner.query('update app.webhook_endpoints set due_at = now() where due_at > now()'))
      .then(() =>
        owner.query(
          `update app.webhook_endpoints set status = 'active', disabled_reason = null where disabled_reason = 'gone'`,
        ),
      )
      .catch(() => {});
  }, 200);
});

afterAll(async () => {
  clearInterval(timer);
  for (const receiver of receivers) receiver.close();
  await owner.end();
});

function first(): Server {
  const [server] = servers;
  if (server === undefined) throw new Error('No server runs.');
  return server;
}

/** Opens an endpoint that belongs to a new integration client. */
async function openEndpoint(options: { readonly share: number; readonly name: string }) {
  const receiver = await startFickleReceiver({
    chance: chanceOf(proofSeed, options.name),
    share: options.share,
    hangsMax: goal.hangsMax,
  });
  receivers.push(receiver);
  const asUser = callsTo(first().origin, tenant.asUser);
  const client = await succeed(asUser, 'POST /v1/financial/integration-clients', {
    body: { name: 'Hooks', scopes: ['webhooks:read', 'webhooks:write', 'movements:read'] },
  });
  const asClient = callsTo(first().origin, {
    Authorization: `Bearer ${client.secret}`,
    'X-Service-Tracker-Id': tenant.trackerId,
  });
  const endpoint = await succeed(asClient, 'POST /v1/financial/webhooks', {
    body: { url: receiver.url, eventTypes: ['movement.*'], payload: 'record' },
  });
  receiver.secret = endpoint.secret;
  return { receiver, id: endpoint.id as string, clientId: client.clientId as string };
}

async function recordMovements(): Promise<void> {
  const movements = Array.from({ length: goal.items }, () => ({ type: 'expense', amountDecimal: '1.00', accountId }));
  // All attempts have one key, so that a retry records no movement twice.
  const headers = { 'Idempotency-Key': randomUUID() };
  await until('the movements are recorded', () =>
    write('POST /v1/financial/movements/bulk', { headers, body: { movements } }).then(
      ({ status }) => status < 300,
      () => false,
    ),
  );
}

/** Returns the number of movement events that these endpoints have not accepted yet, counted once for each endpoint. */
async function countUndelivered(endpointIds: readonly string[]): Promise<number> {
  const { rows } = await owner.query(
    `select count(*)::int as missing from app.webhook_endpoints w cross join app.recorded_events e
     where w.id = any ($1) and e.tracker_id = w.tracker_id and e.action like 'movement.%' and not exists (
       select 1 from app.webhook_deliveries d
       where d.endpoint_id = w.id and d.event_id = e.id and d.status = 'succeeded')`,
    [endpointIds],
  );
  return rows[0].missing;
}

it(
  'the server delivers each event at least once, signed and with equal bytes, and no other event, while receivers fail and servers are killed',
  async () => {
    const endpoints = [];
    for (let index = 0; index < endpointCount; index += 1) {
      endpoints.push(await openEndpoint({ share: 0.2, name: `receiver ${index}` }));
    }
    const ids = endpoints.map(({ id }) => id);
    let kills = 0;
    for (let request = 0; request < goal.requests && !isLate(0.5); request += 1) {
      await recordMovements();
      await until('the backlog is short', async () => (await countUndelivered(ids)) < backlogMax, {
        attemptsMax: 100_000,
      });
      if (request % Math.ceil(goal.requests / goal.kills) !== 0) continue;
      // The first server answers the requests of this test.
      await servers[1]?.kill('SIGKILL');
      const restarted = await starts[1]?.();
      if (restarted !== undefined) servers[1] = restarted;
      kills += 1;
    }
    await until('every event is delivered to each endpoint', async () => (await countUndelivered(ids)) === 0, {
      attemptsMax: 100_000,
    });
    const { rows: events } = await owner.query<{ id: string }>(
      `select id from app.events where tracker_id = $1 and action like 'movement.%'`,
      [tenant.trackerId],
    );
    const violations = { lost: 0, invented: 0, unverified: 0, otherBytes: 0, repeatedWithoutFault: 0 };
    let attempts = 0;
    let repeated = 0;
    const faults: Record<string, number> = {};
    for (const { receiver } of endpoints) {
      const known = new Set(events.map(({ id }) => id));
      const bodies = new Map<string, Set<string>>();
      const accepted = new Map<string, number>();
      for (const { eventId, body, isAccepted, isVerified } of receiver.seen) {
        attempts += 1;
        if (!known.has(eventId)) violations.invented += 1;
        if (!isVerified) violations.unverified += 1;
        bodies.set(eventId, (bodies.get(eventId) ?? new Set()).add(body));
        if (isAccepted) accepted.set(eventId, (accepted.get(eventId) ?? 0) + 1);
      }
      violations.lost += [...known].filter((id) => !accepted.has(id)).length;
      violations.otherBytes += [...bodies.values()].filter(({ size }) => size > 1).length;
      repeated += [...accepted.values()].filter((count) => count > 1).length;
      for (const [name, count] of Object.entries(receiver.faults)) faults[name] = (faults[name] ?? 0) + count;
    }
    // A killed server may lose a batch of at most 100 results for each endpoint, and these attempts are repeated.
    if (repeated > kills * endpointCount * 100) violations.repeatedWithoutFault = repeated;
    await recordProof({
      id: 'T26',
      promise:
        'Each endpoint gets each event at least once and no invented event; every attempt has a valid signature and the same bytes',
      seed: proofSeed,
      injected: { events: events.length, endpoints: endpointCount, attempts, kills, repeated, ...faults },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  shareMs,
);

it(
  'the server begins no delivery attempt later than five seconds after a revocation was answered',
  async () => {
    const asUser = callsTo(first().origin, tenant.asUser);
    let revocations = 0;
    let lateAttempts = 0;
    while (revocations < goal.revocations && !isLate()) {
      const open: Awaited<ReturnType<typeof openEndpoint>>[] = [];
      for (let index = 0; index < 4; index += 1) open.push(await openEndpoint({ share: 0, name: `revoked ${index}` }));
      await recordMovements();
      const revokedAtMs: number[] = [];
      for (const { clientId } of open) {
        await succeed(asUser, `DELETE /v1/financial/integration-clients/${clientId}`);
        revokedAtMs.push(Date.now());
        revocations += 1;
      }
      await recordMovements();
      await until('the endpoints are disabled', async () => {
        const { rows } = await owner.query(
          `select count(*)::int as active from app.webhook_endpoints where id = any ($1) and status = 'active'`,
          [open.map(({ id }) => id)],
        );
        return rows[0].active === 0;
      });
      open.forEach(({ receiver }, index) => {
        lateAttempts += receiver.seen.filter(
          ({ arrivedAtMs }) => arrivedAtMs > (revokedAtMs[index] ?? 0) + 5_000,
        ).length;
      });
      for (const { id } of open) {
        await owner.query('update app.webhook_endpoints set deleted_at = now() where id = $1', [id]);
      }
    }
    await recordProof({
      id: 'T26b',
      promise:
        "No attempt begins more than five seconds after the answer that confirms that its owner's credential is revoked",
      seed: null,
      injected: { revocations },
      violations: { lateAttempts },
    });
    expect(lateAttempts).toBe(0);
  },
  shareMs,
);
