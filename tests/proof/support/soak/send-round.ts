import { openConnection } from '../../../bench/load/open-connection.mjs';
import { runConcurrently } from '../run-concurrently.js';
import { seededRandom } from '../seeded-random.js';
import { drawKind, type MixedClient, type MixedKind, type MixedRequest } from './mixed-requests.js';

/** The results of the requests of a soak. */
export interface SoakResults {
  readonly sent: Record<MixedKind, number>;
  /** The durations of all requests that got a response, in milliseconds. */
  readonly latenciesMs: number[];
  /** Descriptions of unexpected responses and closed connections. */
  readonly unexpected: string[];
}

type Connection = Awaited<ReturnType<typeof openConnection>>;

/**
 * Sends a number of requests, divided among the clients. Each client opens a new connection in each round, so that a leak for each
 * closed connection adds up over the rounds.
 * @param round.first the number of the first request; requests are generated from their numbers
 * @param whileOpen runs after all responses, while the connections are open
 */
export async function sendRound(
  round: {
    readonly origin: string;
    readonly clients: readonly MixedClient[];
    readonly seed: number;
    readonly first: number;
    readonly count: number;
    readonly results: SoakResults;
  },
  whileOpen: () => Promise<void>,
): Promise<void> {
  const { origin, clients, seed, first, count, results } = round;
  const connections = await Promise.all(clients.map(() => openConnection(origin)));
  const sessions = clients.map((client, index) => ({ client, connection: connections[index] as Connection }));
  let number = first;
  await runConcurrently({ times: sessions.length, concurrency: sessions.length }, async (position) => {
    const session = sessions[position] as (typeof sessions)[number];
    while (number < first + count) {
      const marker = `soak-${number}`;
      number += 1;
      await sendOne(session, { origin, marker, chosenKind: drawKind(seededRandom(seed, marker)), results });
    }
  });
  await whileOpen();
  for (const { connection } of sessions) connection.close();
}

async function sendOne(
  session: { readonly client: MixedClient; connection: Connection },
  about: { origin: string; marker: string; chosenKind: MixedKind; results: SoakResults },
): Promise<void> {
  const { origin, marker, chosenKind, results } = about;
  const { kind, request } = session.client.next(chosenKind, marker);
  results.sent[kind] += 1;
  const sentAtMs = performance.now();
  try {
    const { status, head } = await session.connection.send(textOf(request, new URL(origin).host));
    results.latenciesMs.push(performance.now() - sentAtMs);
    if (status === request.expected) session.client.processAnswer(head);
    else results.unexpected.push(`${kind}, ${marker}: ${request.methodAndPath} ${status}`);
  } catch (error) {
    results.unexpected.push(`${kind}, ${marker}: ${request.methodAndPath} ${(error as Error).message}`);
    session.connection.close();
    session.connection = await openConnection(origin);
  }
}

function textOf({ methodAndPath, headers, body }: MixedRequest, host: string): string {
  const content = body === undefined ? '' : JSON.stringify(body);
  const ofContent =
    body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(content) };
  const lines = Object.entries({ Host: host, ...headers, ...ofContent }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${methodAndPath} HTTP/1.1\r\n${lines.join('')}\r\n${content}`;
}
