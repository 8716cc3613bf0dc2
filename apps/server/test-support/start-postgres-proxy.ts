import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A proxy on 127.0.0.1 in front of PostgreSQL. */
export interface PostgresProxy {
  /** The URL of the database, through the proxy. */
  readonly connectionString: string;
  close(): Promise<void>;
}

/** The handlers of one connection. Each handler receives the bytes of one direction, and forwards all, some or none of them. */
export interface ProxiedConnection {
  readonly onClientData: (bytes: Buffer) => void;
  readonly onDatabaseData: (bytes: Buffer) => void;
}

/**
 * Starts a proxy. If one end of a connection closes, the proxy closes the other end.
 * @param options.onConnection called once per connection; returns its handlers
 */
export async function startPostgresProxy(options: {
  readonly connectionString: string;
  readonly onConnection: (sockets: { readonly client: Socket; readonly database: Socket }) => ProxiedConnection;
}): Promise<PostgresProxy> {
  const upstream = new URL(options.connectionString);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        database.destroy();
        sockets.delete(socket);
      });
    }
    const { onClientData, onDatabaseData } = options.onConnection({ client, database });
    client.on('data', onClientData);
    database.on('data', onDatabaseData);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = new URL(options.connectionString);
  address.port = String((server.address() as AddressInfo).port);
  return {
    connectionString: address.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
