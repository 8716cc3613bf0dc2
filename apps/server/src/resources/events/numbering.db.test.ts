import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let trackerId: string;
const userId = randomUUID();

async function connect(): Promise<pg.Client> {
  const connected = new pg.Client({ connectionString: testDatabase.connectionString });
  await connected.connect();
  return connected;
}

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = await connect();
});

afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

beforeEach(() => {
  trackerId = randomUUID();
});

/** Inserts a pending event as a write does. */
async function insertEvent(by: pg.Client, resourceId: string): Promise<void> {
  await by.query(
    `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, state_digest)
     values ($1, $2, $3, 'movement.created', 'movement', $4, $2, sha256('x'))`,
    [trackerId, randomUUID(), userId, resourceId],
  );
}

async function number(by: pg.Client = client, max = 1000): Promise<number> {
  const { rows } = await by.query('select app.number_events($1, $2) as count', [trackerId, max]);
  return rows[0].count;
}

/** Waits until the statement of another connection waits for a lock. */
async function untilBlocked(pid: number): Promise<void> {
  const isBlocked = async () => {
    const { rows } = await client.query('select cardinality(pg_blocking_pids($1)) > 0 as blocked', [pid]);
    return rows[0].blocked;
  };
  while (!(await isBlocked())) await sleep(5);
}

async function pidOf(by: pg.Client): Promise<number> {
  const { rows } = await by.query('select pg_backend_pid() as pid');
  return rows[0].pid;
}

interface EventRow {
  sequence: string;
  hash: Buffer;
  id: string;
  occurred_at: Date | string;
  resource_id: string;
  request_id: string;
  state_digest: Buffer;
}

async function events(): Promise<EventRow[]> {
  const { rows } = await client.query('select * from app.events where tracker_id = $1 order by sequence', [trackerId]);
  return rows;
}

describe('the sequence numbers of events', () => {
  it('begin at 1 and follow the order in which the events were inserted, and every event gets one', async () => {
    for (const name of ['a', 'b', 'c']) await insertEvent(client, name);
    expect([await number(), await number()]).toEqual([3, 0]);
    await insertEvent(client, 'd');
    await number();
    const numbered = await events();
    expect(numbered.map(({ sequence, resource_id }) => [sequence, resource_id])).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'c'],
      ['4', 'd'],
    ]);
    const { rows } = await client.query('select count(*)::int from app.audit_events where tracker_id = $1', [
      trackerId,
    ]);
    expect(rows).toEqual([{ count: 0 }]);
  });

  it('only grow: an event that is committed after another event has been numbered gets a higher number, even if it was inserted first', async () => {
    const [slow, fast] = [await connect(), await connect()];
    try {
      await slow.query('begin');
      await insertEvent(slow, 'slow');
      await insertEvent(fast, 'fast');
      await number();
      expect((await events()).map(({ resource_id }) => resource_id)).toEqual(['fast']);
      await slow.query('commit');
      await number();
      expect((await events()).map(({ resource_id }) => resource_id)).toEqual(['fast', 'slow']);
    } finally {
      await Promise.all([slow.end(), fast.end()]);
    }
  });

  it('are assigned once when two processes number events at the same time', async () => {
    const [first, second, holder] = [await connect(), await connect(), await connect()];
    try {
      // The first numbering creates the head. Without a head, one process would wait until the other has inserted it.
      await insertEvent(client, 'a');
      await number();
      for (const name of ['b', 'c']) await insertEvent(client, name);
      await holder.query('begin; lock app.events in share mode');
      const pids = [await pidOf(first), await pidOf(second)];
      const counts = expect(Promise.all([number(first), number(second)])).resolves.toEqual(
        expect.arrayContaining([2, 0]),
      );
      for (const pid of pids) await untilBlocked(pid);
      await holder.query('commit');
      await counts;
      expect((await events()).map(({ sequence, resource_id }) => [sequence, resource_id])).toEqual([
        ['1', 'a'],
        ['2', 'b'],
        ['3', 'c'],
      ]);
    } finally {
      await Promise.all([first.end(), second.end(), holder.end()]);
    }
  });

  it('are assigned by the next numbering run if the event is committed during the current run', async () => {
    const [slow, numberer, holder] = [await connect(), await connect(), await connect()];
    try {
      await slow.query('begin');
      await insertEvent(slow, 'slow');
      await insertEvent(client, 'fast');
      // The lock stops the numbering at its first insert, after it has read the pending events.
      await holder.query('begin; lock app.events in share mode');
      const pid = await pidOf(numberer);
      const numbering = number(numberer);
      await untilBlocked(pid);
      await slow.query('commit');
      await holder.query('commit');
      expect([await numbering, await number()]).toEqual([1, 1]);
      expect((await events()).map(({ resource_id }) => resource_id)).toEqual(['fast', 'slow']);
    } finally {
      await Promise.all([slow.end(), numberer.end(), holder.end()]);
    }
  });

  it('are consecutive while many transactions write, roll back and number events at the same time', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, connect));
    try {
      let written = 0;
      await Promise.all(
        clients.map(async (by, writer) => {
          for (let index = 0; index < 40; index += 1) {
            if (writer < 2) await number(by, 7);
            else {
              const isRolledBack = index % 9 === 0;
              await by.query('begin');
              await insertEvent(by, `${writer} ${index}`);
              await by.query(isRolledBack ? 'rollback' : 'commit');
              if (!isRolledBack) written += 1;
            }
          }
        }),
      );
      while ((await number()) > 0);
      const numbered = await events();
      expect(numbered.map(({ sequence }) => Number(sequence))).toEqual(
        Array.from({ length: written }, (_, i) => i + 1),
      );
      expect(new Set(numbered.map(({ resource_id }) => resource_id)).size).toBe(written);
      for (let writer = 2; writer < 6; writer += 1) {
        const own = numbered
          .map(({ resource_id }) => resource_id.split(' ').map(Number))
          .filter(([by]) => by === writer);
        expect(own.map(([, index]) => index)).toEqual(own.map(([, index]) => index).toSorted((a = 0, b = 0) => a - b));
      }
    } finally {
      await Promise.all(clients.map((by) => by.end()));
    }
  });

  it('are assigned first to events that an earlier version of the server inserted without recording their order', async () => {
    await insertEvent(client, 'new');
    await client.query(
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, insert_order)
       values ($1, $2, $3, 'movement.created', 'movement', 'old', $2, null)`,
      [trackerId, randomUUID(), userId],
    );
    await number();
    expect((await events()).map(({ resource_id }) => resource_id)).toEqual(['old', 'new']);
  });
});

it('an event hash covers the event and the previous hash; for the first event, the previous hash is a hash of the tracker id', async () => {
  for (const name of ['a', 'b', 'c']) await insertEvent(client, name);
  await number();
  let hash = createHash('sha256').update(`centavo-chain-v1\n${trackerId}`).digest();
  for (const event of await events()) {
    const leaf = [
      'centavo-event-v1',
      trackerId,
      event.sequence,
      event.id,
      new Date(event.occurred_at).toISOString(),
      `user:${userId}`,
      'movement.created',
      `movement ${event.resource_id}`,
      event.request_id,
      '-',
      event.state_digest.toString('hex'),
    ].join('\n');
    hash = createHash('sha256').update(hash).update(leaf).digest();
    expect(event.hash.toString('hex')).toBe(hash.toString('hex'));
  }
  const { rows } = await client.query('select sequence, hash from app.event_heads where tracker_id = $1', [trackerId]);
  expect(rows).toEqual([{ sequence: '3', hash }]);
});

it('number_pending_trackers numbers the events of several trackers', async () => {
  const trackers = [randomUUID(), randomUUID(), randomUUID()];
  for (trackerId of trackers) await insertEvent(client, 'a');
  await client.query('set role centavo_identity');
  const { rows } = await client.query('select app.number_pending_trackers(20) as count');
  await client.query('reset role');
  expect(rows[0].count).toBeGreaterThanOrEqual(3);
  for (trackerId of trackers) expect(await events()).toHaveLength(1);
});
