import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { query } from './query.js';
import { openReplica, type Replica, type ReplicaOutcome } from './replica.js';
import type { Transaction } from './transaction.js';

let testDatabase: TestDatabase;
let replica: Replica;
let nowMs: number;
let outcomes: ReplicaOutcome[];
let changes: boolean[];

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
});

afterAll(() => testDatabase.drop());

function open(connectionString: string): void {
  replica = openReplica({
    connectionString,
    poolMax: 2,
    elapsedMs: () => nowMs,
    onRead: (outcome) => outcomes.push(outcome),
    onChange: ({ isAway }) => changes.push(isAway),
  });
}

beforeEach(() => {
  nowMs = 0;
  outcomes = [];
  changes = [];
});

afterEach(() => replica.close());

/** Runs a read whose work is one statement. `isCaughtUp` is false if the replica lags behind the required log position. */
function read(sql: string, isCaughtUp = true): Promise<unknown> {
  return replica.read({ enter: async () => isCaughtUp, work: (tx) => query(tx, sql) });
}

describe('a read sent to the replica', () => {
  beforeEach(() => open(testDatabase.connectionString));

  it('returns its rows when the replica has replayed the required log position', async () => {
    expect(await read('select 1 as one')).toEqual([{ one: 1 }]);
    expect(outcomes).toEqual(['answered']);
  });

  it('is not run when the replica lags behind the required log position', async () => {
    expect(await read('select 1 / 0', false)).toBeUndefined();
    expect(outcomes).toEqual(['behind']);
  });

  it('is left to the primary when a statement fails, and the next read is sent to the replica', async () => {
    expect(await read('select from a_table_that_has_not_arrived')).toBeUndefined();
    expect(await read('select 2 as two')).toEqual([{ two: 2 }]);
    expect(outcomes).toEqual(['failed', 'answered']);
    expect(changes).toEqual([]);
  });

  it('rejects with the error that the `work` function of the caller throws', async () => {
    const refusing = replica.read({
      enter: async () => true,
      work: async () => {
        throw new Error('There is no such resource, or this credential may not read it.');
      },
    });
    await expect(refusing).rejects.toThrow('There is no such resource, or this credential may not read it.');
    expect(outcomes).toEqual(['answered']);
  });

  it('is left to the primary if it tries to write', async () => {
    expect(await read('create table notes ()')).toBeUndefined();
    expect(outcomes).toEqual(['failed']);
  });

  it('is left to the primary when the time limit of its first statement passes', async () => {
    const enter = async (tx: Transaction) => {
      // Without `answerMsMax` the result would arrive, because the default time limit is longer than three seconds.
      await query(tx, 'select pg_sleep(3)', {}, { answerMsMax: 50 });
      return true;
    };
    expect(await replica.read({ enter, work: async () => [] })).toBeUndefined();
    expect(outcomes).toEqual(['away']);
  });

  it('is left to the primary when the connection is lost, as are all reads in the next five seconds', async () => {
    expect(await read('select pg_terminate_backend(pg_backend_pid())')).toBeUndefined();
    nowMs += 4_999;
    expect(replica.isBackingOff()).toBe(true);
    expect(await read('select 1 as one')).toBeUndefined();
    nowMs += 1;
    expect(replica.isBackingOff()).toBe(false);
    expect(await read('select 1 as one')).toEqual([{ one: 1 }]);
    expect(await read('select 1 as one')).toEqual([{ one: 1 }]);
    expect(outcomes).toEqual(['away', 'away', 'away', 'answered', 'answered']);
    expect(changes).toEqual([true, false]);
  });
});

describe('a replica that accepts connections and sends nothing', () => {
  let silence: Server;
  const callers = new Set<Socket>();

  beforeEach(async () => {
    silence = createServer((caller) => {
      callers.add(caller);
      caller.on('error', () => {});
    });
    await new Promise<void>((resolve) => silence.listen(0, '127.0.0.1', resolve));
    open(`postgres://me:secret@127.0.0.1:${(silence.address() as AddressInfo).port}/books`);
  });

  afterEach(async () => {
    for (const caller of callers) caller.destroy();
    callers.clear();
    await new Promise((resolve) => silence.close(resolve));
  });

  it('is contacted by the first read, by no read in the next five seconds, and then by only one of three concurrent reads', async () => {
    await read('select 1');
    const callersBefore = callers.size;
    await Promise.all([read('select 1'), read('select 1'), read('select 1')]);
    expect(callers.size).toBe(callersBefore);
    nowMs += 5_000;
    await Promise.all([read('select 1'), read('select 1'), read('select 1')]);
    expect([callersBefore, callers.size]).toEqual([1, 2]);
    expect(outcomes).toEqual(Array.from({ length: 7 }, () => 'away'));
    expect(changes).toEqual([true]);
  });
});
