import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { drawBelow } from './support/draw.js';
import { openBooks } from './support/intents.js';
import { type Holder, openHolder } from './support/lock-cashboxes.js';
import { isLate, isLong, proofSeed, recordProof } from './support/proof-record.js';
import { type Chance, chanceOf } from './support/seeded-chance.js';
import { newTally } from './support/tally.js';
import { addMember, openProgram, registerUser, settleTenant, succeed, type Tenant } from './support/tenants.js';

const writerCount = 16;
// The number of rounds for each of the three losses.
const rounds = isLong ? 334 : 7;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let servers: Server[];
let owner: pg.Client;
let holder: Holder;
let head: Awaited<ReturnType<typeof openHead>>;
let member: Awaited<ReturnType<typeof registerUser>> & { readonly bearers: readonly string[] };
let accountId: string;

beforeAll(async () => {
  const env = {
    // Eight writers of each server wait for the cashboxes that this test locks. The revocation needs another connection.
    DATABASE_POOL_MAX: '20',
    RATE_LIMIT_ADMIN_PER_MINUTE: '0',
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
    STEP_UP_MAX_AGE_SECONDS: '86400',
  };
  servers = [await sandbox.startServer({ dataDir, env }), await sandbox.startServer({ dataDir, env })];
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  holder = await openHolder(connectionString);
  const { origin } = servers[0] as Server;
  const tenant = await settleTenant(origin);
  head = await openHead(origin, tenant);
  ({ accountId } = await openBooks(head.call));
  const user = await registerUser(origin);
  const program = await openProgram(origin, user.headers);
  member = { ...user, bearers: [user.headers.Authorization ?? '', program.Authorization] };
});
afterAll(async () => {
  await holder.end();
  await owner.end();
});

/** The owner of the tracker, who has verified a one-time code and stays logged in during the test. */
async function openHead(origin: string, { email, password, trackerId }: Tenant) {
  const anonymous = callsTo(origin);
  const session = await succeed(anonymous, 'POST /v1/identity/sessions', { body: { email, password } });
  let refreshToken: string = session.refreshToken;
  let headers: Readonly<Record<string, string>>;
  let call: Call;
  const become = (accessToken: string) => {
    headers = { Authorization: `Bearer ${accessToken}`, 'X-Service-Tracker-Id': trackerId };
    call = callsTo(origin, headers);
  };
  become(session.accessToken);
  const { secret } = await succeed((...request) => call(...request), 'POST /v1/identity/totp');
  const body = { code: await generate({ secret }) };
  become((await succeed((...request) => call(...request), 'POST /v1/identity/totp/confirm', { body })).accessToken);
  return {
    trackerId,
    call: ((...request) => call(...request)) as Call,
    headers: () => headers,
    async stayLoggedIn() {
      const next = await succeed(anonymous, 'POST /v1/identity/sessions/refresh', { body: { refreshToken } });
      refreshToken = next.refreshToken;
      become(next.accessToken);
    },
  };
}

/** A loss of rights: the writer of a round, the request that takes the right away, and the expected refusals. */
interface Loss {
  readonly prepare: () => Promise<{ readonly bearers: readonly string[]; readonly take: () => Promise<Answer> }>;
  readonly takenStatus: number;
  readonly refusal: { readonly status: number; readonly code: string };
}

const membersPath = () => `/v1/financial/trackers/${head.trackerId}/members`;

function addEditor(): Promise<void> {
  const { origin } = servers[0] as Server;
  return addMember(origin, { asOwner: head.headers(), trackerId: head.trackerId, user: member, role: 'editor' });
}

const losses: Readonly<Record<string, Loss>> = {
  'a key is revoked': {
    async prepare() {
      const { clientId, secret } = await succeed(head.call, 'POST /v1/financial/api-keys', {
        body: {
          name: 'Soon revoked',
          scopes: ['movements:write', 'transfers:write'],
          access: { mode: 'selected', trackerIds: [head.trackerId] },
        },
      });
      return {
        bearers: [`Bearer ${secret}`],
        take: () => head.call(`DELETE /v1/financial/api-keys/${clientId}`),
      };
    },
    takenStatus: 204,
    refusal: { status: 401, code: 'CREDENTIAL_REVOKED' },
  },
  'a member is removed': {
    async prepare() {
      await addEditor();
      return { bearers: member.bearers, take: () => head.call(`DELETE ${membersPath()}/${member.userId}`) };
    },
    takenStatus: 204,
    refusal: { status: 403, code: 'TRACKER_FORBIDDEN' },
  },
  'an editor becomes a viewer': {
    async prepare() {
      const setRole = (role: string) => head.call(`PATCH ${membersPath()}/${member.userId}`, { body: { role } });
      const isMember = (await setRole('editor')).status === 200;
      if (!isMember) await addEditor();
      return { bearers: member.bearers, take: () => setRole('viewer') };
    },
    takenStatus: 200,
    refusal: { status: 403, code: 'INSUFFICIENT_ROLE' },
  },
};

/** Starts the writes of one round: sixteen clients that write until they are refused. */
function startWriters(marker: string, bearers: readonly string[]) {
  const told = { successes: 0, lateSuccesses: 0, isTaken: false, refusals: [] as Answer[] };
  async function writeOnAndOn(position: number): Promise<void> {
    const { origin } = servers[position % servers.length] as Server;
    const call = callsTo(origin, {
      Authorization: bearers[Math.floor(position / 2) % bearers.length] ?? '',
      'X-Service-Tracker-Id': head.trackerId,
    });
    for (;;) {
      const isLate = told.isTaken;
      const answer = await call('POST /v1/financial/movements', {
        headers: { 'Idempotency-Key': randomUUID() },
        body: { type: 'expense', amountDecimal: '1.00', accountId, description: marker },
      });
      if (answer.status !== 201) {
        told.refusals.push(answer);
        return;
      }
      told.successes += 1;
      if (isLate) {
        told.lateSuccesses += 1;
        return;
      }
    }
  }
  const ended = Promise.all(Array.from({ length: writerCount }, (_, position) => writeOnAndOn(position)));
  return { told, ended };
}

async function countEffects(marker: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select count(*)::int as n from app.movements where tracker_id = $1 and description = $2',
    [head.trackerId, marker],
  );
  return rows[0]?.n ?? 0;
}

/** Revokes the right. With `isHeld`, writes are in progress that cannot end before the revocation waits for them or has ended. */
async function takeAway(take: () => Promise<Answer>, isHeld: boolean): Promise<Answer> {
  if (!isHeld) return take();
  await holder.hold([accountId]);
  await holder.isInTheWay();
  let isTaken = false;
  const taking = take().finally(() => {
    isTaken = true;
  });
  await until('the taking waits or has ended', async () => isTaken || (await holder.countAdvisoryWaits()) > 0);
  // A revocation that does not wait is answered now, and the started writes commit too late.
  if (!isTaken) await holder.release();
  return taking;
}

const parts = Object.keys(losses).length;

it.each(Object.entries(losses).map(([name, loss], index) => [name, loss, (index + 1) / parts] as const))(
  'commits nothing of sixteen writers after the answer that %s',
  async (name, loss, part) => {
    const violations = newTally(
      'committed after the answer',
      'accepted although asked after the answer',
      'refused otherwise',
      'not taken',
    );
    const seen = newTally('rounds', 'effects', 'takenWhileWritesWereHeld');
    for (let round = 0; round < rounds && !isLate(part); round += 1) {
      seen.rounds += 1;
      const chance: Chance = chanceOf(proofSeed, `${name} ${round}`);
      // Access tokens are valid for a quarter of an hour.
      if (round % 100 === 99) await head.stayLoggedIn();
      const marker = randomUUID();
      const { bearers, take } = await loss.prepare();
      const { told, ended } = startWriters(marker, bearers);
      const startsAfter = drawBelow(chance, writerCount);
      await until('the writers are at work', () => told.successes >= startsAfter || told.refusals.length > 0);
      const isHeld = chance.hits(0.5);
      const taken = await takeAway(take, isHeld);
      told.isTaken = true;
      const atTheAnswer = await countEffects(marker);
      await holder.release();
      await ended;
      const atTheEnd = await countEffects(marker);

      if (taken.status !== loss.takenStatus) violations['not taken'] += 1;
      violations['committed after the answer'] += atTheEnd - atTheAnswer;
      violations['accepted although asked after the answer'] += told.lateSuccesses;
      violations['refused otherwise'] += told.refusals.filter(
        ({ status, error }) => status !== loss.refusal.status || error.code !== loss.refusal.code,
      ).length;
      seen.effects += atTheEnd;
      if (isHeld) seen.takenWhileWritesWereHeld += 1;
    }

    await recordProof({
      id: 'T14',
      promise: `Nothing commits with a lost right after the answer that ${name}`,
      seed: proofSeed,
      injected: { writers: writerCount, ...seen },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times !== 0)).toEqual([]);
  },
);
