import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** How much of an answer still arrives before the connection breaks. */
export type Cut = 'nothing' | 'half';

/** A proxy in front of a server that does the work it is asked for, and then loses the answer. */
export interface AnswerCutter {
  readonly origin: string;
  /** Loses the answers of the next `times` writes. The server has done them by then. */
  cut(arrives: Cut, times?: number): void;
  /** From now on asks at every write how much of its answer arrives; null is all of it. */
  cutBy(choose: () => Cut | null): void;
  /** How many answers were lost since the start. */
  readonly cutCount: () => number;
  close(): Promise<void>;
}

/** Starts the proxy; it hands everything through until it is told to cut. Reads are never cut. */
export async function startAnswerCutter(origin: string): Promise<AnswerCutter> {
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
      // A connection carries one request at a time, and each begins a chunk of its own.
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
