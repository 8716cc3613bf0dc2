import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Where the next COMMIT is lost: on its way to PostgreSQL, or after it happened and before its answer. */
export type Cut = 'before' | 'after' | null;

/** A proxy in front of PostgreSQL that cuts connections at COMMIT. */
export interface CommitCutter {
  readonly connectionString: string;
  /** Cuts at the next `times` COMMITs. */
  cut(where: Cut, times?: number): void;
  /** From now on asks at every COMMIT, with all that was sent since BEGIN, as latin1: statements and their parameters. */
  cutBy(choose: (transaction: string) => Cut): void;
  readonly cutCount: () => number;
  close(): Promise<void>;
}

/** Starts the proxy; it hands everything through until it is told to cut. */
export async function startCommitCutter(connectionString: string): Promise<CommitCutter> {
  const upstream = new URL(connectionString);
  let choose: (transaction: string) => Cut = () => null;
  let cutCount = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    let isCutting = false;
    let transaction = '';
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (bytes) => {
      if (bytes.includes('BEGIN')) transaction = '';
      transaction += bytes.toString('latin1');
      const where = bytes.includes('COMMIT') ? choose(transaction) : null;
      if (where !== null) cutCount += 1;
      if (where === 'before') {
        client.destroy();
        return;
      }
      if (where === 'after') isCutting = true;
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      // Once PostgreSQL has answered the COMMIT the transaction is committed; the server never hears of it.
      if (!isCutting) client.write(bytes);
      else if (bytes.includes('COMMIT')) client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(connectionString);
  address.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: address.href,
    cut(where, times = 1) {
      let remaining = times;
      choose = () => {
        remaining -= 1;
        return remaining >= 0 ? where : null;
      };
    },
    cutBy(chosen) {
      choose = chosen;
    },
    cutCount: () => cutCount,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
