import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request that the receiver got. */
export interface ReceivedDelivery {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** A receiver of webhooks on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  /** All requests so far, in order. */
  readonly received: readonly ReceivedDelivery[];
  /** Replaces the response to later requests; the default is 204. `count` is the number of requests so far, including `request`. */
  answer(respond: (request: IncomingMessage, response: ServerResponse, count: number) => void): void;
  /** Resolves with the first `count` requests. */
  waitFor(count: number): Promise<readonly ReceivedDelivery[]>;
  close(): Promise<void>;
}

/** Starts a receiver that stores each request before it responds. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedDelivery[] = [];
  const waiting = new Set<() => void>();
  let respond = (_request: IncomingMessage, response: ServerResponse, _count: number) => {
    response.writeHead(204).end();
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), path: request.url ?? '' });
      respond(request, response, received.length);
      for (const wake of waiting) wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answer(next) {
      respond = next;
    },
    async waitFor(count) {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
      return received.slice(0, count);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * Verifies a delivery with the library `standardwebhooks`, and returns the parsed body.
 * @throws Error if no signature matches the secret
 */
export function verifyDelivery(delivery: ReceivedDelivery, secret: string) {
  const headers = delivery.headers as Record<string, string>;
  return new Webhook(secret).verify(delivery.body, headers) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown> & { id: string; sequence: number | null };
  };
}
