import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CommitCutter, type Cut, startCommitCutter } from '../../apps/server/test-support/start-commit-cutter.js';
import { callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { connectAsOwner } from './support/crash-postgres.js';
import { findViolations, type Kind, kinds } from './support/effects.js';
import { operations } from './support/prepared-writes.js';
import { isLong, proofMsMax, proofSeed, recordProof } from './support/proof-record.js';
import { isSuccess } from './support/retry-until-final.js';
import { seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { createTenantsWithAccounts, type TenantWithAccounts } from './support/tenants-with-accounts.js';

const commitsToLose = isLong ? 10_000 : 200;
const msMax = isLong ? 0.9 * proofMsMax : Number.POSITIVE_INFINITY;
const clients = 8;
// A third of the writes create a budget. A tracker may have at most 1,000 budgets, so the run needs several trackers.
const tenantsCount = isLong ? 8 : 4;
const shareOfCommits = 0.3;
// A request has six attempts. Without this limit, 7 requests in 10,000 would lose all six COMMITs and get 503.
const lostInARowMax = 5;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let connectionString: string;
/** A proxy between the server and PostgreSQL. It cuts connections immediately before or after a COMMIT. */
let commitCutter: CommitCutter;
let server: Server;
let tenants: readonly [TenantWithAccounts, ...TenantWithAccounts[]];

beforeAll(async () => {
  const first = await sandbox.startServer({ dataDir });
  tenants = await createTenantsWithAccounts(first.origin, tenantsCount);
  ({ connectionString } = await getPostgresOf(dataDir));
  commitCutter = await startCommitCutter(connectionString);
  server = await sandbox.startServer({ env: { DATABASE_URL: commitCutter.connectionString, LOG_LEVEL: 'error' } });
});
afterAll(() => commitCutter.close());

const seen = newTally('commits', 'lostBefore', 'lostAfter');
const violationCounts = newTally('errorsSeen', 'notOneFirstAnswer', 'answersNamingAnotherId');
const acknowledged = new Map<Kind, Map<string, string>>(kinds.map((kind) => [kind, new Map<string, string>()]));

/**
 * Returns a function that chooses which COMMITs are lost. The choice depends on the seed, the idempotency key in the transaction, and the
 * number of COMMITs of this key so far.
 */
function loseCommits(): (transaction: string) => Cut {
  const lostInARow = new Map<string, number>();
  const attempts = new Map<string, number>();
  return (transaction) => {
    const [key] = /lost-\d+(?!\d|-)/.exec(transaction) ?? [];
    if (key === undefined) return null;
    seen.commits += 1;
    const turn = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, turn);
    const random = seededRandom(proofSeed, `${key}, try ${turn}`);
    const lost = lostInARow.get(key) ?? 0;
    if (lost === lostInARowMax || !random.hits(shareOfCommits)) {
      lostInARow.delete(key);
      return null;
    }
    lostInARow.set(key, lost + 1);
    const where = random.oneOf<'before' | 'after'>(['before', 'after']);
    seen[where === 'before' ? 'lostBefore' : 'lostAfter'] += 1;
    return where;
  };
}

/** Sends a write twice, and checks both responses. */
async function writeTwice(number: number): Promise<void> {
  const random = seededRandom(proofSeed, `write ${number}`);
  const kind = random.oneOf(kinds);
  const { headers, accounts } = random.oneOf(tenants);
  const marker = `lost-${number}`;
  const prepared = await operations[kind](accounts, marker);
  const send = () => callsTo(server.origin, headers)(prepared.methodAndPath, prepared).catch(() => undefined);
  const answers = [await send(), await send()].flatMap((answer) => (answer && isSuccess(answer) ? [answer] : []));
  violationCounts.errorsSeen += 2 - answers.length;
  if (answers.filter(({ meta }) => meta.idempotentReplay !== true).length !== 1) violationCounts.notOneFirstAnswer += 1;
  const [id, ...others] = new Set(answers.map(({ data }) => prepared.idOf(data)));
  if (others.length > 0) violationCounts.answersNamingAnotherId += 1;
  if (id !== undefined) acknowledged.get(kind)?.set(marker, id);
}

it(
  `the server responds to each write as if no COMMIT were lost, and runs the write once (seed ${proofSeed})`,
  async () => {
    commitCutter.cutBy(loseCommits());
    const endsAt = performance.now() + msMax;
    let started = 0;
    async function writeRepeatedly(): Promise<void> {
      while (seen.lostBefore + seen.lostAfter < commitsToLose && performance.now() < endsAt) {
        started += 1;
        await writeTwice(started);
      }
    }
    await Promise.all(Array.from({ length: clients }, writeRepeatedly));
    commitCutter.cutBy(() => null);

    const owner = await connectAsOwner(connectionString);
    const violations = { ...violationCounts, ...(await findViolations(owner, acknowledged)) };
    await owner.end();
    await recordProof({
      id: 'T3',
      promise:
        'If the acknowledgement of a COMMIT is lost, the server finds out the outcome within the request: no client gets an error, and the write runs once',
      seed: proofSeed,
      injected: { writes: started, ...seen },
      violations,
    });
    expect(Math.min(seen.lostBefore, seen.lostAfter)).toBeGreaterThan(0);
    expect(violations).toEqual(Object.fromEntries(Object.keys(violations).map((name) => [name, 0])));
  },
  proofMsMax,
);
