import { openConnection } from '../../../bench/load/open-connection.mjs';
import { doAtOnce } from '../run-concurrently.js';
import { chanceOf } from '../seeded-chance.js';
import { drawKind, type MixedClient, type MixedKind, type MixedRequest } from './mixed-requests.js';

/** The results of the requests of a soak. */
export interface SoakExperience {
  readonly sent: Record<MixedKind, number>;
  /** The durations of all answered requests, in milliseconds. */
  readonly latenciesMs: number[];
  /** Descriptions of unexpected answers and closed connections. */
  readonly unexpected: string[];
}

type Connection = Awaited<ReturnType<typeof openConnection>>;

/**
 * Sends a number of requests, divided among the clients. Each client opens a new connection in each round, so that
 * leaks of closed connections add up.
 * @param round.first the number of the first request, from which it is generated
 * @param whileOpen runs after all answers, while the connections are open
 */
export async function sendRound(
  round: {
    readonly origin: string;
    readonly clients: readonly MixedClient[];
    readonly seed: number;
    readonly first: number;
    readonly count: number;
    readonly experience: SoakExperience;
  },
  whileOpen: () => Promise<void>,
): Promise<void> {
  const { origin, clients, seed, first, count, experience } = round;
  const connections = await Promise.all(clients.map(() => openConnection(origin)));
  const talks = clients.map((client, index) => ({ client, connection: connections[index] as Connection }));
  let number = first;
  await doAtOnce({ times: talks.length, width: talks.length }, async (position) => {
    const talk = talks[position] as (typeof talks)[number];
    while (number < first + count) {
      const marker = `soak-${number}`;
      number += 1;
      await askOne(talk, { origin, marker, wanted: drawKind(chanceOf(seed, marker)), experience });
    }
  });
  await whileOpen();
  for (const { connection } of talks) connection.close();
}

async function askOne(
  talk: { readonly client: MixedClient; connection: Connection },
  about: { origin: string; marker: string; wanted: MixedKind; experience: SoakExperience },
): Promise<void> {
  const { origin, marker, wanted, experience } = about;
  const { kind, request } = talk.client.next(wanted, marker);
  experience.sent[kind] += 1;
  const askedAtMs = performance.now();
  try {
    const { status, head } = await talk.connection.ask(textOf(request, new URL(origin).host));
    experience.latenciesMs.push(performance.now() - askedAtMs);
    if (status === request.expected) talk.client.hear(head);
    else experience.unexpected.push(`${kind}, ${marker}: ${request.methodAndPath} ${status}`);
  } catch (error) {
    experience.unexpected.push(`${kind}, ${marker}: ${request.methodAndPath} ${(error as Error).message}`);
    talk.connection.close();
    talk.connection = await openConnection(origin);
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
