import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL that counts how often its client waited for it. */
export interface RoundTripCounter {
  readonly connectionString: string;
  /** How often, until now and over all connections, something was sent after an answer. */
  readonly count: () => number;
  close(): Promise<void>;
}

/** Starts the proxy. What is sent before PostgreSQL has answered belongs to one round trip. */
export async function countRoundTrips(connectionString: string): Promise<RoundTripCounter> {
  const upstream = new URL(connectionString);
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    let isWaiting = false;
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
      if (!isWaiting) count += 1;
      isWaiting = true;
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      isWaiting = false;
      client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(connectionString);
  address.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: address.href,
    count: () => count,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
