import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { createFullTenant } from './support/create-full-tenant.js';
import { isLate, isLong, proofSeed, recordProof } from './support/proof-record.js';
import { breakConversation } from './support/raw-http/broken-conversations.js';
import { addReportedRows, countDifferences, countRows, noRows, type Rows } from './support/raw-http/count-rows.js';
import { last } from './support/raw-http/frame-request.js';
import { mutateRequest } from './support/raw-http/mutate-request.js';
import { faultOf, readAnswers } from './support/raw-http/read-answers.js';
import { sendRawBytes } from './support/raw-http/send-raw-bytes.js';
import { toWire, type ValidRequest, validRequests } from './support/raw-http/valid-requests.js';
import { readResidentMb } from './support/resident-memory.js';
import { runConcurrently } from './support/run-concurrently.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';

const fuzzedRequests = isLong ? 300_000 : 2_000;
const conversations = isLong ? 30_000 : 200;
// The share of the available time for the mutated requests. The rest is for starting the server and for the second test, which waits for
// timeouts.
const shareOfFuzz = 0.55;
const fuzzedAtOnce = 16;
const conversationsAtOnce = 50;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let server: Server;
let owner: pg.Client;
let headers: Readonly<Record<string, string>>;
let requests: readonly [ValidRequest, ...ValidRequest[]];

beforeAll(async () => {
  server = await sandbox.startServer({ dataDir, env: { RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0' } });
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  const tenant = await createFullTenant(server.origin);
  headers = tenant.asProgram;
  requests = validRequests(tenant, tenant);
});
afterAll(() => owner.end());

const newViolations = () =>
  newTally('serverFailure', 'withoutEnvelope', 'notWholeAnswers', 'hanging', 'unreportedRows', 'effectsOfRefused');
let violations: ReturnType<typeof newViolations>;
let statuses: Record<string, number>;
/** The records that the responses report as created. */
let reported: Rows;
/** The ids of the successful requests. */
let succeeded: Set<string>;
/** The violations in detail, for debugging. */
let seen: string[];

beforeEach(() => {
  violations = newViolations();
  statuses = {};
  reported = noRows();
  succeeded = new Set();
  seen = [];
});

function note(violation: keyof ReturnType<typeof newViolations>, what: string): void {
  violations[violation] += 1;
  seen.push(`${violation}: ${what}`);
}

/** Sends bytes to the server and checks all its responses. */
async function sendAndCheck(
  what: string,
  { pieces, endsAfterwards }: { readonly pieces: readonly Buffer[]; readonly endsAfterwards: boolean },
) {
  const { bytes, isEnded } = await sendRawBytes(server.origin, pieces, { endsAfterwards });
  const answers = readAnswers(bytes);
  // A connection is hanging only if it got no response. After a response it may stay open for another request.
  if (!isEnded && answers?.length === 0) note('hanging', what);
  if (answers === null) return note('notWholeAnswers', `${what}: ${bytes.toString('latin1').slice(0, 300)}`);
  if (answers.length === 0) statuses.closed = (statuses.closed ?? 0) + 1;
  for (const answer of answers) {
    const kind = `answered ${Math.floor(answer.status / 100)}xx`;
    statuses[kind] = (statuses[kind] ?? 0) + 1;
    const fault = faultOf(answer);
    if (fault !== undefined) note(fault, `${what}: ${answer.status} ${answer.body.slice(0, 200)}`);
    else addReportedRows(reported, answer);
    if (answer.status < 300) succeeded.add(answer.headers['x-request-id'] ?? '');
  }
}

/** Checks that the new rows and audit events match the responses. */
async function checkRows(before: { readonly rows: Rows; readonly events: ReadonlySet<string> }): Promise<void> {
  violations.unreportedRows = countDifferences(await countRows(owner), {
    before: before.rows,
    reported,
  });
  for (const id of await readEvents()) {
    if (!before.events.has(id) && !succeeded.has(id)) note('effectsOfRefused', id);
  }
}

async function readEvents(): Promise<ReadonlySet<string>> {
  const { rows } = await owner.query<{ request_id: string }>(
    'select request_id from app.recorded_events union select request_id from app.user_audit_events',
  );
  return new Set(rows.map(({ request_id }) => request_id));
}

const validRequest = (random: SeededRandom) => toWire(random.oneOf(requests), { headers, key: randomUUID() });

/**
 * Calls `sendAll`, compares the new rows with the responses, and records the resident memory before and after. The record contains the
 * number of items that `sendAll` returns, under the name `countName`.
 */
async function proveConversations(
  { promise, countName }: { readonly promise: string; readonly countName: string },
  sendAll: () => Promise<readonly unknown[]>,
): Promise<void> {
  const before = { rows: await countRows(owner), events: await readEvents() };
  const residentBefore = await readResidentMb(server.origin);
  const sent = (await sendAll()).length;
  await checkRows(before);
  await recordProof({
    id: 'T16',
    promise,
    seed: proofSeed,
    injected: { [countName]: sent, ...statuses },
    measured: { 'resident MB before': residentBefore, 'resident MB after': await readResidentMb(server.origin) },
    violations,
  });
  expect(seen.slice(0, 20)).toEqual([]);
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
}

it('the server responds to every mutated request in the JSON envelope of the API, and a refused request writes no row', async () => {
  const promise =
    'The response to any mutated request has the format of the API and is not a 5xx, and a refused request writes no row';
  const isOver = () => isLate(shareOfFuzz);
  await proveConversations({ promise, countName: 'changedRequests' }, () =>
    runConcurrently({ times: fuzzedRequests, concurrency: fuzzedAtOnce, isOver }, async (position) => {
      const random = seededRandom(proofSeed, `request ${position}`);
      const request = mutateRequest(validRequest(random), random);
      const what = `request ${position} (${request.method} ${request.target.slice(0, 80)})`;
      await sendAndCheck(what, { pieces: [last(request)], endsAfterwards: false });
    }),
  );
});

it('the server responds or closes the connection, whatever bytes it gets, and all responses have the JSON envelope of the API', async () => {
  const promise =
    'For any bytes, the server responds in the format of the API or closes the connection, and a refused request writes no row';
  await proveConversations({ promise, countName: 'conversations' }, () =>
    runConcurrently({ times: conversations, concurrency: conversationsAtOnce, isOver: isLate }, async (position) => {
      const random = seededRandom(proofSeed, `conversation ${position}`);
      const conversation = breakConversation(validRequest(random), random);
      await sendAndCheck(`conversation ${position} (${conversation.fault})`, conversation);
    }),
  );
});
