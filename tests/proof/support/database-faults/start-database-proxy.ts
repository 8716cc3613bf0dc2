import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** The behaviour of the connection to PostgreSQL. */
export interface Condition {
  /** No data arrives, and no error is reported: a black hole. */
  readonly dropsData: boolean;
  /** The delay of each chunk to PostgreSQL, in milliseconds. */
  readonly delayMs: number;
}

/** A TCP proxy between a server and its PostgreSQL. */
export interface DatabaseProxy {
  /** The connection string through the proxy. */
  readonly connectionString: string;
  /**
   * Sets the behaviour; an absent property gets its default. A connection that was open during a black hole stays dead afterwards, but
   * later connections work. If the server closes a connection during a black hole, PostgreSQL sees the end only after the black hole.
   */
  setCondition(condition: Partial<Condition>): void;
  /** Forwards new connections to another PostgreSQL. */
  connectTo(connectionString: string): void;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  readonly database: Socket;
  /** Whether the connection was open during a black hole. It then forwards no more data. */
  isLost: boolean;
}

const clear: Condition = { dropsData: false, delayMs: 0 };

/** Starts a proxy that forwards all data without delay until its behaviour is changed. */
export async function startDatabaseProxy(connectionString: string): Promise<DatabaseProxy> {
  let upstream = new URL(connectionString);
  let condition = clear;
  const connections = new Set<Connection>();

  function serve(connection: Connection): void {
    const { client, database } = connection;
    connections.add(connection);
    for (const socket of [client, database]) socket.on('error', () => {});
    let sent = Promise.resolve();
    client.on('data', (bytes) => {
      if (connection.isLost) return;
      const { delayMs } = condition;
      // The chunks must stay in the order of arrival, also after a delay.
      if (delayMs > 0) sent = sent.then(() => delay(delayMs));
      sent = sent.then(() => void database.write(bytes));
    });
    database.on('data', (bytes) => {
      if (!connection.isLost) client.write(bytes);
    });
    client.on('close', () => {
      if (!condition.dropsData) sent = sent.then(() => void database.destroy());
    });
    database.on('close', () => {
      if (!connection.isLost) client.destroy();
      connections.delete(connection);
    });
  }

  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    serve({ client, database, isLost: condition.dropsData });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(connectionString);
  address.port = String((server.address() as AddressInfo).port);

  return {
    connectionString: address.href,
    setCondition(change) {
      condition = { ...clear, ...change };
      for (const connection of connections) {
        if (condition.dropsData) connection.isLost = true;
        else if (connection.client.destroyed) connection.database.destroy();
      }
    },
    connectTo(next) {
      upstream = new URL(next);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const { client, database } of connections) {
        client.destroy();
        database.destroy();
      }
      await closed;
    },
  };
}
