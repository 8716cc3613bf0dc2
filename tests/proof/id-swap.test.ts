import { createHash } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox } from '../acceptance/support/sandbox.js';
import { createFullTenant, type FullTenant, logInAgain } from './support/create-full-tenant.js';
import {
  type ApiDocument,
  fillSlot,
  idFor,
  type OwnRequest,
  ownRequests,
  type Slot,
  slotsOf,
  unknownIdLike,
} from './support/id-slots.js';
import { areaUnderCurve } from './support/mann-whitney.js';
import { type PausedJobs, pauseBackgroundJobs } from './support/pause-background-jobs.js';
import { readRows, readTables } from './support/probe-catalog.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';

/**
 * The number of pairs of requests for each slot. A slot is a parameter or field that takes an id. One request of a pair has an id of
 * another tenant, and the other request has an unknown id. So 1,000 pairs yield 1,000 response times for each of the two kinds of ids.
 */
const rounds = isLong ? 1_000 : 4;
/**
 * The number of pairs for a slot that is the tracker header. It is small because many operations have this header, and because its
 * response times are not compared.
 */
const headerRounds = isLong ? 50 : 2;
const roundsPerToken = 50;
const msMax = isLong ? 0.85 * proofMsMax : Number.POSITIVE_INFINITY;
// The bounds of the area under the ROC curve for the response times of the two kinds of ids; 0.5 means that the times reveal nothing.
const aucMin = 0.4;
const aucMax = 0.6;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let origin: string;
let victim: FullTenant;
let attacker: FullTenant;
let paused: PausedJobs;

beforeAll(async () => {
  ({ origin } = await sandbox.startServer({
    dataDir,
    env: { RATE_LIMIT_ADMIN_PER_MINUTE: '0', STEP_UP_MAX_AGE_SECONDS: '86400' },
  }));
  [victim, attacker] = await Promise.all([createFullTenant(origin), createFullTenant(origin)]);
  // The test requires that no row of the victim changes, but the background jobs would change some.
  paused = await pauseBackgroundJobs((await getPostgresOf(dataDir)).connectionString);
});
afterAll(() => paused?.resume());

interface ComparableAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
  readonly ms: number;
}

/** Sends the request. Removes from the response the requested id and all values that differ between requests. */
async function send(
  slot: Slot,
  options: { request: OwnRequest; as: FullTenant['asUser']; id: string },
): Promise<ComparableAnswer> {
  const { request, as, id } = options;
  const path = slot.template.replace(/\{(\w+)\}/g, (_, name: string) => request.path?.[name] ?? '');
  const query = request.query === undefined ? '' : `?${new URLSearchParams(request.query)}`;
  const startedAt = performance.now();
  const response = await fetch(`${origin}${path}${query}`, {
    method: slot.method,
    headers: {
      ...as,
      ...request.headers,
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  const text = await response.text();
  const ms = performance.now() - startedAt;
  const requestId = response.headers.get('X-Request-Id') ?? '';
  const mask = (part: string) => part.replaceAll(requestId, '<request>').replaceAll(id, '<id>');
  const headers = [...response.headers].filter(([name]) => name !== 'date').map((pair) => mask(pair.join(': ')));
  return { status: response.status, headers: headers.join('\n'), body: mask(text), ms };
}

/** Returns whether the id determined the response: the request was refused because of the id, or nothing was found. */
function isAboutTheId({ name }: Slot, { status, body }: ComparableAnswer): boolean {
  if (status === 403) return body.includes('TRACKER_FORBIDDEN');
  if (status === 400) return body.includes(`"path":"${name}"`);
  return status === 404 || (status === 200 && body.includes('"data":[]'));
}

/** Returns a hash of all records of the tenant, without the time when each credential was last used. */
async function hashOfAll(tenant: FullTenant): Promise<string> {
  const { connectionString } = await getPostgresOf(dataDir);
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  const hash = createHash('sha256');
  for (const table of await readTables(owner)) {
    const rows = (await readRows(owner, table)).map((row) => JSON.stringify({ ...row, last_used_at: null }));
    const theirs = rows.filter((row) => row.includes(tenant.trackerId) || row.includes(tenant.userId));
    hash.update(theirs.sort().join('\n'));
  }
  await owner.end();
  return hash.digest('hex');
}

it(
  'the server returns the same response for an id of another tenant and an unknown id, in all id parameters of the financial API',
  async () => {
    const document = (await (await fetch(`${origin}/openapi.json`)).json()) as ApiDocument;
    const slots = slotsOf(document).filter(({ template }) => !template.startsWith('/v1/identity'));
    const unknown = slots.filter(({ operationId }) => ownRequests(attacker)[operationId] === undefined);
    expect(unknown, 'operations that have no request in ownRequests').toEqual([]);
    const counts = newTally('slots', 'pairs', 'asUser', 'asProgram');
    const violations = newTally('otherStatus', 'otherHeaders', 'otherBody', 'provesNothing', 'changed');
    const faults = new Set<string>();
    const before = await hashOfAll(victim);
    const times = new Map(slots.map((slot) => [slot, { real: [] as number[], unknownId: [] as number[] }]));
    counts.slots = slots.length;

    const startedAt = performance.now();
    for (let round = 0; round < rounds && performance.now() - startedAt < msMax; round += 1) {
      if (round > 0 && round % roundsPerToken === 0) attacker = await logInAgain(origin, attacker);
      const random = seededRandom(proofSeed, `round ${round}`);
      for (const slot of slots) {
        if (slot.where === 'header' && round >= headerRounds) continue;
        // In every second round, a program sends the requests of all operations that a program may use.
        const isProgram = round % 2 === 1 && (await isForPrograms(slot));
        const as = isProgram ? attacker.asProgram : attacker.asUser;
        const realId = idFor(slot, victim);
        const sample = async (id: string) =>
          send(slot, { request: fillSlot(slot, ownRequests(attacker)[slot.operationId] ?? {}, id), as, id });
        const randomId = unknownIdLike(realId);
        const isRealFirst = random.hits(0.5);
        const first = await sample(isRealFirst ? realId : randomId);
        const second = await sample(isRealFirst ? randomId : realId);
        const [real, unknownId] = isRealFirst ? [first, second] : [second, first];
        counts.pairs += 1;
        counts[isProgram ? 'asProgram' : 'asUser'] += 1;
        times.get(slot)?.real.push(real.ms);
        times.get(slot)?.unknownId.push(unknownId.ms);
        const found = {
          otherStatus: real.status !== unknownId.status,
          otherHeaders: real.headers !== unknownId.headers,
          otherBody: real.body !== unknownId.body,
          provesNothing: !isAboutTheId(slot, unknownId),
        };
        for (const kind of Object.keys(found) as (keyof typeof found)[]) {
          if (!found[kind]) continue;
          violations[kind] += 1;
          faults.add(`${slot.operationId} ${slot.where}.${slot.name}: ${kind} ${real.status} ${unknownId.status}`);
        }
      }
    }
    if ((await hashOfAll(victim)) !== before) violations.changed += 1;

    const timed = [...times].filter(([slot]) => slot.where !== 'header');
    const areas = timed.map(([, { real, unknownId }]) => areaUnderCurve(real, unknownId));
    const [least, most] = [Math.min(...areas), Math.max(...areas)];
    await recordProof({
      id: 'T9',
      promise:
        'An id of another tenant and an unknown id get the same status, headers and body in all parameters that take an id',
      seed: proofSeed,
      injected: {
        ...counts,
        timesPerSlot: 2 * Math.max(...timed.map(([, { real }]) => real.length)),
        timingAucLeast: Number(least.toFixed(3)),
        timingAucMost: Number(most.toFixed(3)),
      },
      violations: {
        ...violations,
        ...(isLong ? { revealedByTiming: areas.filter((area) => area < aucMin || area > aucMax).length } : {}),
      },
    });
    expect([...faults]).toEqual([]);
    expect(violations.changed).toBe(0);
    // A short run has too few response times to compare their distributions, and a loaded machine distorts them.
    if (isLong) expect(areas.filter((area) => area < aucMin || area > aucMax)).toEqual([]);
  },
  proofMsMax,
);

const forPrograms = new Map<Slot, boolean>();

/** Returns whether a program's secret may use the operation. Some operations are for user sessions only. */
async function isForPrograms(slot: Slot): Promise<boolean> {
  const known = forPrograms.get(slot);
  if (known !== undefined) return known;
  const id = unknownIdLike(idFor(slot, victim));
  const request = fillSlot(slot, ownRequests(attacker)[slot.operationId] ?? {}, id);
  const isAllowed = isAboutTheId(slot, await send(slot, { request, as: attacker.asProgram, id }));
  forPrograms.set(slot, isAllowed);
  return isAllowed;
}
