import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { isLong, proofMsMax, recordProof } from './support/proof-record.js';
import { readResidentMb } from './support/resident-memory.js';
import { quantileOf } from './support/run-concurrently.js';
import { openSlowSocket } from './support/slow-socket.js';
import { type OtherTenant, startOtherTenant } from './support/start-other-tenant.js';
import { newTally } from './support/tally.js';
import { createTenantsWithAccounts } from './support/tenants-with-accounts.js';

const socketsOfEach = isLong ? 300 : 40;
/** The number of connections that are idle after a response. Such connections cost the client nothing. */
const idleSockets = 5_000;
/**
 * The number of connections of a client that does not read responses, or does not wait for them. The operating system buffers megabytes
 * for each of these connections.
 */
const greedySockets = isLong ? 60 : 20;
const answersBefore = isLong ? 1_000 : 100;
// This many checks take longer than the timeouts of the server: 15 s for a request, 30 s for an unread response, and 75 s for an idle
// connection. Only a long run waits for the last of these timeouts.
const attemptsMax = isLong ? 12_000 : 5_000;
/** The decompressed size of a compression bomb, whose compressed form is within the size limit of a body. */
const bombBytes = 32 * 1024 * 1024;

const sandbox = openSandbox();
let origin: string;
let otherTenant: OtherTenant;

beforeAll(async () => {
  const env = { RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' };
  ({ origin } = await sandbox.startServer({ dataDir: sandbox.newDataDir(), env }));
  const [{ headers, accounts }] = await createTenantsWithAccounts(origin, 1);
  otherTenant = startOtherTenant({ origins: [origin], headers, accountId: accounts.accountId });
});
afterAll(() => otherTenant.stop());

const head = (headers: string) => Buffer.from(`POST /v1/financial/movements HTTP/1.1\r\nHost: localhost\r\n${headers}`);
const json = 'Content-Type: application/json\r\n';
const bomb = gzipSync(Buffer.alloc(bombBytes, 0x20));
const nothing = Buffer.alloc(0);

/**
 * The requests of a client that does not wait for responses. The server queues at most 64 requests behind the first request, and may
 * queue one more if it responds to the first request before it parses the others.
 */
const pipelinedRequests = Buffer.from('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000));
const pipelinedAnswersMax = 66;

interface AbusiveClient {
  readonly first: Buffer;
  readonly again: Buffer;
  readonly againEveryMs: number;
  readonly isReading?: boolean;
  /** The statuses of the allowed responses. */
  readonly statuses: readonly number[];
  readonly answersMax?: number;
  readonly sockets?: number;
}

/** The behaviour of each abusive client: its first bytes, its repeated bytes and their interval, and the allowed responses. */
const abusiveClients: Readonly<Record<string, AbusiveClient>> = {
  'heads a byte at a time': { first: head('X-Slow: '), again: Buffer.from('x'), againEveryMs: 400, statuses: [408] },
  'bodies a byte at a time': {
    first: head(`${json}Content-Length: 60000\r\n\r\n{"a":"`),
    again: Buffer.from('x'),
    againEveryMs: 400,
    statuses: [408],
  },
  'nothing at all': { first: nothing, again: nothing, againEveryMs: 0, statuses: [408] },
  'bodies without an end': {
    first: head(`${json}Transfer-Encoding: chunked\r\n\r\n`),
    again: Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`),
    againEveryMs: 0,
    statuses: [401, 413],
  },
  'lengths that are too large': {
    first: head(`${json}Content-Length: 100000000\r\n\r\n`),
    again: Buffer.alloc(65_536, 0x20),
    againEveryMs: 0,
    statuses: [401, 413],
  },
  'compressed bombs': {
    first: Buffer.concat([
      head(`${json}Content-Encoding: gzip\r\nConnection: close\r\nContent-Length: ${bomb.length}\r\n\r\n`),
      bomb,
    ]),
    again: nothing,
    againEveryMs: 0,
    statuses: [401, 413, 415],
  },
  'requests without waiting for answers': {
    first: pipelinedRequests,
    again: pipelinedRequests,
    againEveryMs: 0,
    statuses: [200],
    answersMax: pipelinedAnswersMax,
    sockets: greedySockets,
  },
  'large answers that are not read': {
    first: Buffer.from('GET /docs/reference.js HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4)),
    again: Buffer.from('x'),
    againEveryMs: 400,
    isReading: false,
    statuses: [],
    sockets: greedySockets,
  },
};

/**
 * The server closes a connection that is idle after a response, but only after 75 s, which is longer than the idle timeout of common
 * load balancers. This takes too long for the tests of a commit, so only long runs test it.
 */
const idleClients: Readonly<Record<string, AbusiveClient>> = {
  'silence after an answer': {
    first: Buffer.from('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n'),
    again: nothing,
    againEveryMs: 0,
    statuses: [200],
    sockets: idleSockets,
  },
};
const chosen = Object.entries(isLong ? { ...abusiveClients, ...idleClients } : abusiveClients);

const violations = newTally('leftOpen', 'answeredOtherwise', 'otherTenantFailures');
const injected: Record<string, number> = { answersOfTheOtherTenant: 0, closedUnanswered: 0 };
/** The lifetimes of the connections in seconds, by behaviour. */
const lifetimes: Record<string, number[]> = {};
/** The violations in detail, for debugging. */
const seen = new Set<string>();

function note(violation: keyof typeof violations, what: string): void {
  violations[violation] += 1;
  seen.add(`${violation}: ${what}`);
}

/** Opens connections of all behaviours concurrently, and waits until the server has closed them. */
async function openAndWait(): Promise<void> {
  const opened = chosen.flatMap(([name, client]) => {
    const length = client.sockets ?? socketsOfEach;
    injected[name] = (injected[name] ?? 0) + length;
    return Array.from({ length }, () => ({ name, client, socket: openSlowSocket(origin, client) }));
  });
  await otherTenant.waitForAnswers(answersBefore);
  const areEnded = () => opened.every(({ socket }) => socket.isEnded());
  await until('the server has ended every connection', areEnded, { attemptsMax }).catch(() => {
    for (const { name, socket } of opened) {
      if (!socket.isEnded()) note('leftOpen', name);
      socket.destroy();
    }
  });
  for (const { name, client, socket } of opened) {
    const { statuses, livedMs } = await socket.end;
    lifetimes[name] = [...(lifetimes[name] ?? []), livedMs / 1000];
    // A client that still writes when the response arrives may lose the response, because the server resets the connection.
    if (statuses.length === 0) injected.closedUnanswered = (injected.closedUnanswered ?? 0) + 1;
    const isExpected = statuses.every((status) => client.statuses.includes(status));
    if (!isExpected || statuses.length > (client.answersMax ?? 1))
      note('answeredOtherwise', `${name}: ${statuses.join()}`);
  }
}

it(
  'the server closes the connections of slow and abusive clients while it serves another client',
  async () => {
    await otherTenant.waitForAnswers(answersBefore);
    const before = otherTenant.report();
    const residentBefore = await readResidentMb(origin);
    await openAndWait();
    const during = otherTenant.report();
    violations.otherTenantFailures = before.failures + during.failures;
    injected.answersOfTheOtherTenant = during.answers;

    await recordProof({
      id: 'T17',
      promise: 'The server closes all connections of slow and abusive clients while it serves another client',
      seed: null,
      injected,
      measured: {
        'p50 ms of the other tenant before': before.p50Ms,
        'p99 ms of the other tenant before': before.p99Ms,
        'p50 ms of the other tenant meanwhile': during.p50Ms,
        'p99 ms of the other tenant meanwhile': during.p99Ms,
        'resident MB before': residentBefore,
        'resident MB after': await readResidentMb(origin),
        ...Object.fromEntries(
          Object.entries(lifetimes).map(([name, times]) => [`p99 s until ended, ${name}`, quantileOf(times, 0.99)]),
        ),
      },
      violations,
    });
    expect([...seen]).toEqual([]);
    expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
  },
  proofMsMax,
);
