import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** What the way to PostgreSQL does with what is sent on it. */
export interface Condition {
  /** Nothing arrives any more, and nobody is told: a black hole. */
  readonly swallows: boolean;
  /** How much later PostgreSQL gets each piece. */
  readonly delayMs: number;
}

/** The network between a server and its PostgreSQL. */
export interface Wire {
  /** The address of PostgreSQL by way of it. */
  readonly connectionString: string;
  /**
   * Says what is different from now on; what is not said is fine. A connection that was in the hole never comes to life
   * again, though new ones do; PostgreSQL hears that its client has left it once the hole is closed.
   */
  become(condition: Partial<Condition>): void;
  /** From now on new connections lead to another PostgreSQL. */
  leadTo(connectionString: string): void;
  close(): Promise<void>;
}

interface Connection {
  readonly client: Socket;
  readonly database: Socket;
  isLost: boolean;
}

const clear: Condition = { swallows: false, delayMs: 0 };

/** Starts a wire that hands everything through. */
export async function startWire(connectionString: string): Promise<Wire> {
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
      // In the order in which they came, however long each piece takes.
      if (delayMs > 0) sent = sent.then(() => delay(delayMs));
      sent = sent.then(() => void database.write(bytes));
    });
    database.on('data', (bytes) => {
      if (!connection.isLost) client.write(bytes);
    });
    client.on('close', () => {
      if (!condition.swallows) sent = sent.then(() => void database.destroy());
    });
    database.on('close', () => {
      if (!connection.isLost) client.destroy();
      connections.delete(connection);
    });
  }

  const server = createServer((client) => {
    const database = connect(Number(upstream.port), upstream.hostname);
    serve({ client, database, isLost: condition.swallows });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(connectionString);
  address.port = String((server.address() as AddressInfo).port);

  return {
    connectionString: address.href,
    become(change) {
      condition = { ...clear, ...change };
      for (const connection of connections) {
        if (condition.swallows) connection.isLost = true;
        else if (connection.client.destroyed) connection.database.destroy();
      }
    },
    leadTo(next) {
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
