import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A delivery attempt that has reached a receiver. */
export interface Arrival {
  /** The id of the record that the event is about. */
  readonly resourceId: string;
  /** A monotonic time, in milliseconds. */
  readonly atMs: number;
}

/** Receivers in one process, each with its own path. */
export interface Receivers {
  urlOf(name: string): string;
  /** Returns the attempts of one receiver, in order. */
  arrivalsAt(name: string): readonly Arrival[];
  /** Deletes all recorded attempts. */
  forget(): void;
  close(): void;
}

/**
 * Starts receivers on 127.0.0.1. A receiver responds with 204 immediately, unless it hangs.
 * @param options.hangs returns true for a receiver that never responds
 */
export async function startReceivers({ hangs }: { readonly hangs: (name: string) => boolean }): Promise<Receivers> {
  let arrivals = new Map<string, Arrival[]>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const atMs = performance.now();
      const name = (request.url ?? '').slice(1);
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { resource: { id: string } } };
      const known = arrivals.get(name) ?? [];
      known.push({ resourceId: data.resource.id, atMs });
      arrivals.set(name, known);
      if (!hangs(name)) response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (name) => `http://127.0.0.1:${port}/${name}`,
    arrivalsAt: (name) => arrivals.get(name) ?? [],
    forget() {
      arrivals = new Map();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
