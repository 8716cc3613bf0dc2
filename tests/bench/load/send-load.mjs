// The client of a round, in its own process: reads a job as JSON from stdin, and prints the results as JSON on stdout.
import { text } from 'node:stream/consumers';
import { conversations } from './conversations.mjs';
import { openConnection } from './open-connection.mjs';
import { readProcessorMs, spentBetween } from './processor-time.mjs';

const job = JSON.parse(await text(process.stdin));
const commonHead = Object.entries({ Host: new URL(job.origin).host, ...job.headers })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

const sessions = await Promise.all(
  Array.from({ length: job.connections }, async (_, number) => ({
    connection: await openConnection(job.origin),
    conversation: conversations[job.workload](job.books, { number, count: job.connections }),
  })),
);
await Promise.all(sessions.map(({ connection, conversation }) => conversation.prepare?.(sendOn(connection))));

const latenciesUs = [];
const unexpected = {};
const serverBefore = readProcessorMs(job.pids);
const ownBefore = process.cpuUsage();
const startedAtMs = performance.now();
const endAtMs = startedAtMs + job.seconds * 1000;
await Promise.all(sessions.map(runSession));
const endedAtMs = performance.now();
const own = process.cpuUsage(ownBefore);
const serverMs = spentBetween(serverBefore, readProcessorMs(job.pids));
for (const { connection } of sessions) connection.close();
process.stdout.write(
  JSON.stringify({
    latenciesUs,
    seconds: (endedAtMs - startedAtMs) / 1000,
    processorMs: { ...serverMs, client: (own.user + own.system) / 1000 },
    unexpected,
  }),
);

/** Sends sequential requests until the time has passed. Then completes the current request, and counts it too. */
async function runSession({ connection, conversation }) {
  const send = sendOn(connection);
  while (performance.now() < endAtMs) {
    const request = conversation.next();
    const sentAtMs = performance.now();
    const answer = await send(request);
    latenciesUs.push(Math.round((performance.now() - sentAtMs) * 1000));
    if (answer.status !== conversation.expected) unexpected[answer.status] = (unexpected[answer.status] ?? 0) + 1;
    conversation.onAnswer?.(answer);
  }
}

function sendOn(connection) {
  return ({ method, path, key, ifMatch, body }) => {
    const content = body === undefined ? '' : JSON.stringify(body);
    const own = [
      key === undefined ? '' : `Idempotency-Key: ${key}\r\n`,
      ifMatch === undefined ? '' : `If-Match: ${ifMatch}\r\n`,
      body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(content)}\r\n`,
    ].join('');
    return connection.send(`${method} ${job.basePath}${path} HTTP/1.1\r\n${commonHead}${own}\r\n${content}`);
  };
}
