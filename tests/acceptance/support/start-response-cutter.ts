import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The part of a response that arrives before the connection breaks. */
export type Cut = 'nothing' | 'half';

/** A proxy that forwards requests to a server, and can cut the connection before or within a response. */
export interface ResponseCutter {
  readonly origin: string;
  /** Cuts the responses to the next `times` writes. The server executes each write before its response is cut. */
  cut(arrives: Cut, times?: number): void;
  /** Calls `choose` for each later write. `choose` returns the part of the response that arrives, or null for the whole response. */
  cutBy(choose: () => Cut | null): void;
  /** Returns the number of responses that were cut. */
  readonly cutCount: () => number;
  close(): Promise<void>;
}

/** Starts the proxy. At first the proxy forwards everything. It never cuts the responses to reads. */
export async function startResponseCutter(origin: string): Promise<ResponseCutter> {
  const upstream = new URL(origin);
  const sockets = new Set<Socket>();
  let choose: () => Cut | null = () => null;
  let cutCount = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(upstream.port), upstream.hostname);
    let arrives: Cut | null = null;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        sockets.delete(socket);
      });
    }
    client.on('data', (bytes) => {
      // A connection has one request at a time, and each request starts a new chunk.
      if (/^(?:POST|PATCH|PUT|DELETE) /.test(bytes.toString('latin1', 0, 7))) arrives = choose();
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (arrives === null) {
        client.write(bytes);
        return;
      }
      cutCount += 1;
      if (arrives === 'nothing') client.resetAndDestroy();
      else client.end(bytes.subarray(0, bytes.length / 2));
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut(share, times = 1) {
      let remaining = times;
      choose = () => {
        remaining -= 1;
        return remaining >= 0 ? share : null;
      };
    },
    cutBy(chosen) {
      choose = chosen;
    },
    cutCount: () => cutCount,
    async close() {
      const closed = once(proxy, 'close');
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
