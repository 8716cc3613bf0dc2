import { Deadlines } from '../src/database/deadlines.js';
import type { Seat } from '../src/database/line.js';
import { Lines } from '../src/database/lines.js';
import type { PooledConnection } from '../src/database/transaction.js';
import { Turns } from '../src/database/turns.js';

/** A connection that the test says the state of. */
export interface FakeConnection {
  readonly number: number;
  status: string;
  __knex__disposed?: unknown;
  readonly connection: { readonly stream: { destroyed: boolean; destroy(): void } };
}

/** Lines on connections that are numbered as they are made, and what becomes of those. */
export interface OpenedLines {
  readonly lines: Lines;
  readonly released: readonly FakeConnection[];
  readonly turns: Turns;
  readonly waitingForConnections: { count: number };
}

/** Opens them. */
export function openLines({ sharesLines = true, atOnce = 3, connectionsMax = 5 } = {}): OpenedLines {
  let made = 0;
  const released: FakeConnection[] = [];
  const waitingForConnections = { count: 0 };
  const pool = {
    pool: { numUsed: () => 0, numFree: () => 0, numPendingAcquires: () => waitingForConnections.count },
    acquireConnection: async () => {
      if (made === connectionsMax) throw new Error('the pool is empty');
      made += 1;
      const connection = { number: made, status: 'I', connection: { stream: { destroyed: false, destroy: () => {} } } };
      return Object.assign(connection, {
        getTransactionStatus: () => connection.status,
      }) as unknown as PooledConnection;
    },
    releaseConnection: async (connection: PooledConnection) => {
      released.push(connection as unknown as FakeConnection);
    },
  };
  const turns = new Turns({ atOnce, patienceMs: 25 });
  const lines = new Lines({ pool, turns, deadlines: new Deadlines(), acquireMs: 2_000, sharesLines });
  return { lines, released, turns, waitingForConnections };
}

/** The connection that a seat is on. */
export const connectionOf = (seat: Seat) => seat.connection as unknown as FakeConnection;

/** Takes a seat for a reader, unless told otherwise. */
export async function board({ lines }: OpenedLines, { mayRide = true, leftMs = 2_000 } = {}): Promise<Seat> {
  return lines.board({ mayRide, leftMs: () => leftMs });
}

/** A reader all of whose transaction is on its way; tells what it was told when it had waited too long. */
export async function boardWhole(opened: OpenedLines): Promise<Seat & { readonly gaveUp: readonly Error[] }> {
  const seat = await board(opened);
  const gaveUp: Error[] = [];
  seat.sent({ isAll: true, giveUp: (error) => gaveUp.push(error) });
  return Object.assign(seat, { gaveUp });
}
