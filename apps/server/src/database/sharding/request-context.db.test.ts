import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openShardedTrackers, type ShardedTrackers } from '../../../test-support/open-sharded-trackers.js';
import type { SeededTracker } from '../../../test-support/seed-tracker.js';
import { tablePlacement } from './table-placement.js';

const shardedTables = [...tablePlacement.distributed, ...tablePlacement.reference];
const writeOnly = 'audit_events';
let trackers: ShardedTrackers;
let client: pg.Client;
let ours: SeededTracker;
let theirs: SeededTracker;
let namesOf: ShardedTrackers['namesOf'];
let outcomeOf: ShardedTrackers['outcomeOf'];

beforeAll(async () => {
  trackers = await openShardedTrackers();
  ({ client, ours, theirs, namesOf, outcomeOf } = trackers);
});

afterAll(() => trackers.close());

describe('the request context of a sharded database', () => {
  const enter = `select set_config('role', 'centavo_app', true),
    app.enter_request(null, 'urn:test', $1, null, $2, true, $3) as facts, app.carry_context()`;

  async function withContext<Result>(
    request: { trackerId: string; key: string | null },
    act: (facts: { tracker: object | null; storedAnswers: object[] }) => Promise<Result>,
  ): Promise<Result> {
    await client.query('begin');
    try {
      const { rows } = await client.query(enter, [ours.userId, request.trackerId, request.key]);
      return await act(rows[0].facts);
    } finally {
      await client.query('rollback');
    }
  }

  it('is not set if the user is not a member of the tracker', async () => {
    await withContext({ trackerId: theirs.trackerId, key: 'k' }, async (facts) => {
      expect(facts).toMatchObject({ tracker: null, storedAnswers: [] });
      expect(await namesOf(`select current_setting('app.tracker_id')`)).toEqual(['']);
      for (const table of shardedTables.filter((name) => name !== writeOnly && name !== 'categories')) {
        expect(await outcomeOf(`select 1 from app.${table}`), table).toBe(0);
      }
    });
  });

  it('has the user, the tracker and citus.propagate_set_commands = local, and ends with the transaction', async () => {
    await withContext({ trackerId: ours.trackerId, key: null }, async () => {
      const context = await client.query(
        `select current_setting('app.tracker_id') as tracker, current_setting('app.user_id') as user,
           current_setting('app.principal_root') as root, current_setting('citus.propagate_set_commands') as propagated,
           current_setting('lock_timeout') as wait, current_user::text as role`,
      );
      expect(context.rows).toEqual([
        {
          tracker: ours.trackerId,
          user: ours.userId,
          root: ours.principalRoot,
          propagated: 'local',
          wait: '2s',
          role: 'centavo_app',
        },
      ]);
    });
    expect(
      await namesOf(`select concat(current_setting('app.tracker_id', true), current_setting('app.user_id', true))`),
    ).toEqual(['']);
  });

  it('is set by a statement that also reads the responses stored under the idempotency key, in the current and in formerly active trackers', async () => {
    await withContext({ trackerId: ours.trackerId, key: 'k' }, async (facts) => {
      expect(facts.storedAnswers).toMatchObject([{ trackerId: ours.trackerId }]);
    });
    const left = randomUUID();
    const chosen = randomUUID();
    await client.query(
      `insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id)
       values ($1, $2, 'left', false, sha256('x'), 'createMovement', '{}', $1), ($3, $2, 'left', false, sha256('x'), 'createMovement', '{}', $1)`,
      [left, ours.principalRoot, chosen],
    );
    await client.query(
      `insert into app.user_audit_events (user_id, id, action, resource_type, resource_id, change, request_id)
       values ($1, $2, 'context.active_tracker_chosen', 'tracker', $3, $4, $2)`,
      [ours.userId, randomUUID(), chosen, JSON.stringify({ activeTrackerId: [left, chosen] })],
    );
    await withContext({ trackerId: ours.trackerId, key: 'left' }, async (facts) => {
      expect(facts.storedAnswers).toHaveLength(2);
    });
  });

  it('is not needed to delete an old idempotency key of a tracker', async () => {
    await client.query(`update app.idempotency_keys set created_at = now() - interval '9 days' where tracker_id = $1`, [
      theirs.trackerId,
    ]);
    await client.query('begin');
    const removed = await namesOf(
      `select app.forget_idempotency_keys(interval '8 days', 1000) from set_config('role', 'centavo_definer', true)`,
    );
    await client.query('rollback');
    expect(removed).toEqual([1]);
  });
});
