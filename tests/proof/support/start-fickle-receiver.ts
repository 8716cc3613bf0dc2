import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { SeededRandom } from './seeded-random.js';

/** A delivery attempt that a receiver has received. */
export interface SeenAttempt {
  readonly eventId: string;
  readonly body: string;
  readonly arrivedAtMs: number;
  /** Whether the response was a success. */
  readonly isAccepted: boolean;
  readonly isVerified: boolean;
}

/** A receiver that fails at random. */
export interface FickleReceiver {
  readonly url: string;
  readonly seen: SeenAttempt[];
  /** The ids of the events that the receiver has accepted. */
  readonly acceptedIds: ReadonlySet<string>;
  /** The number of faults, by kind. */
  readonly faults: Record<string, number>;
  /** The secret for verifying signatures. */
  secret: string;
  close(): void;
}

type Answer = (response: ServerResponse) => void;

const faults: Readonly<Record<string, Answer>> = {
  status500: (response) => response.writeHead(500).end('no'),
  cutConnections: (response) => response.destroy(),
  status302: (response) => response.writeHead(302, { Location: '/elsewhere' }).end(),
  status429: (response) => response.writeHead(429, { 'Retry-After': '1' }).end(),
  status502: (response) => response.writeHead(502).end(),
  status410: (response) => response.writeHead(410).end(),
  noResponses: () => {},
};
const ways = Object.entries(faults) as [[string, Answer], ...[string, Answer][]];

/**
 * Starts a receiver on 127.0.0.1.
 * @param options.share the share of requests that fail
 * @param options.hangsMax the maximum number of requests without a response
 */
export async function startFickleReceiver(options: {
  readonly random: SeededRandom;
  readonly share: number;
  readonly hangsMax: number;
}): Promise<FickleReceiver> {
  const { random, share, hangsMax } = options;
  const acceptedIds = new Set<string>();
  const receiver: FickleReceiver = {
    ...{ url: '', seen: [], acceptedIds, faults: {}, secret: '' },
    close: () => server.close(),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const arrivedAtMs = Date.now();
      let [name, answer]: [string, Answer] = ['', (success) => success.writeHead(204).end()];
      if (random.hits(share)) [name, answer] = random.oneOf(ways);
      // Each request without a response costs the test 15 seconds.
      if (name === 'noResponses' && (receiver.faults.noResponses ?? 0) >= hangsMax) [name, answer] = ways[0];
      // The response has a wrong Content-Length, but counts as a success, because only the status matters.
      else if (name === '' && random.hits(0.05)) {
        name = 'wrongLengths';
        answer = (short) => short.writeHead(200, { 'Content-Length': '100' }).write('short', () => short.destroy());
      }
      if (name !== '') receiver.faults[name] = (receiver.faults[name] ?? 0) + 1;
      const isAccepted = name === '' || name === 'wrongLengths';
      const eventId = String(request.headers['webhook-id']);
      if (isAccepted) acceptedIds.add(eventId);
      receiver.seen.push({
        eventId,
        body,
        arrivedAtMs,
        isAccepted,
        isVerified: verifies(receiver.secret, request.headers, body),
      });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  });
}

function verifies(secret: string, headers: object, body: string): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers });
    return true;
  } catch {
    return false;
  }
}
