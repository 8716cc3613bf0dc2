import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { type Call, callsTo } from '../../acceptance/support/call-api.js';
import { until } from '../../acceptance/support/until.js';
import { prepareAccounts } from '../../proof/support/prepared-writes.js';
import { createTenant, succeed } from '../../proof/support/tenants.js';
import type { Receivers } from './start-receivers.js';

/** A tracker with webhook endpoints, and methods that record movements in it. */
export interface HookedTracker {
  readonly trackerId: string;
  /** The names of the receivers, one for each endpoint of the tracker. */
  readonly names: readonly string[];
  /** Records a movement, and returns its id. */
  recordMovement(): Promise<string>;
  /** Records movements, at most a hundred in each request. */
  recordMovements(count: number): Promise<void>;
}

const itemsMax = 100;

/** Creates a tracker with one endpoint for each receiver. */
export async function openHooks(
  origin: string,
  receivers: Receivers,
  hooks: { readonly names: readonly string[]; readonly maxInFlight: number },
): Promise<HookedTracker> {
  const { names, maxInFlight } = hooks;
  const tenant = await createTenant(origin);
  const { accountId } = await prepareAccounts(callsTo(origin, tenant.asUser));
  const write: Call = callsTo(origin, tenant.asProgram);
  const client = await succeed(callsTo(origin, tenant.asUser), 'POST /v1/financial/integration-clients', {
    body: { name: 'Hooks', scopes: ['webhooks:write', 'movements:read'] },
  });
  const asClient = callsTo(origin, {
    Authorization: `Bearer ${client.secret}`,
    'X-Service-Tracker-Id': tenant.trackerId,
  });
  for (const name of names) {
    await succeed(asClient, 'POST /v1/financial/webhooks', {
      body: { url: receivers.urlOf(name), eventTypes: ['movement.*'], maxInFlight },
    });
  }
  const expense = { type: 'expense', amountDecimal: '1.00', accountId };
  const keyed = () => ({ 'Idempotency-Key': randomUUID() });
  return {
    trackerId: tenant.trackerId,
    names,
    async recordMovement() {
      const { id } = await succeed(write, 'POST /v1/financial/movements', { headers: keyed(), body: expense });
      return id;
    },
    async recordMovements(count) {
      for (let left = count; left > 0; left -= itemsMax) {
        const movements = Array.from({ length: Math.min(left, itemsMax) }, () => expense);
        await succeed(write, 'POST /v1/financial/movements/bulk', { headers: keyed(), body: { movements } });
      }
    },
  };
}

/** Pauses the endpoints of some trackers, and waits until no worker serves them. */
export async function pauseHooks(owner: pg.ClientBase, trackerIds: readonly string[]): Promise<void> {
  await owner.query(`update app.webhook_endpoints set status = 'paused' where tracker_id = any ($1)`, [trackerIds]);
  await until('no worker serves an endpoint', async () => {
    const { rows } = await owner.query(
      'select from app.webhook_endpoints where tracker_id = any ($1) and leased_until > now()',
      [trackerIds],
    );
    return rows.length === 0;
  });
}

/** Waits until all events are numbered, and then activates the endpoints of some trackers. */
export async function resumeHooks(owner: pg.ClientBase, trackerIds: readonly string[]): Promise<void> {
  await until('all events are numbered', async () => {
    const { rows } = await owner.query('select from app.audit_events limit 1');
    return rows.length === 0;
  });
  await owner.query(`update app.webhook_endpoints set status = 'active', due_at = now() where tracker_id = any ($1)`, [
    trackerIds,
  ]);
}

const endpointsOfTracker = 20;

/** Creates `count` webhook endpoints that wait for their first event, in new trackers of one user, with at most 20 in each tracker. */
export async function addIdleHooks(owner: pg.ClientBase, userId: string, count: number): Promise<void> {
  await owner.query('begin');
  await owner.query(
    `create temporary table idle_trackers on commit drop as
     select gen_random_uuid() as id from generate_series(1, $1::integer)`,
    [Math.ceil(count / endpointsOfTracker)],
  );
  await owner.query(
    `insert into app.trackers (id, name, currency_code, time_zone) select id, 'Idle', 'EUR', 'UTC' from idle_trackers`,
  );
  await owner.query(`insert into app.members (tracker_id, user_id, role) select id, $1, 'owner' from idle_trackers`, [
    userId,
  ]);
  await owner.query(
    `insert into app.webhook_endpoints (tracker_id, id, url, event_types, payload, exclude_own_writes, max_in_flight,
       owner_user_id, cursor_sequence, secret_last4, due_at)
     select id, gen_random_uuid(), 'https://hooks.invalid/', '{*}', 'reference', false, 4, $1, 0, 'none',
       now() + random() * interval '30 seconds'
     from idle_trackers, generate_series(1, ${endpointsOfTracker}) limit $2::integer`,
    [userId, count],
  );
  await owner.query('commit');
  await owner.query('vacuum analyze');
}
