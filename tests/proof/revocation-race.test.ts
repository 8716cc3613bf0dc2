import { randomUUID } from 'node:crypto';
import { generate } from 'otplib';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, type Call, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { until } from '../acceptance/support/until.js';
import { drawBelow } from './support/draw.js';
import { type CashboxLocks, openCashboxLocks } from './support/lock-cashboxes.js';
import { prepareAccounts } from './support/prepared-writes.js';
import { isLate, isLong, proofSeed, recordProof } from './support/proof-record.js';
import { type SeededRandom, seededRandom } from './support/seeded-random.js';
import { newTally } from './support/tally.js';
import { addMember, createTenant, openProgram, registerUser, succeed, type Tenant } from './support/tenants.js';

const writerCount = 16;
// The number of rounds for each of the three ways to lose a right.
const rounds = isLong ? 334 : 7;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
let servers: Server[];
let owner: pg.Client;
let locks: CashboxLocks;
let trackerOwner: Awaited<ReturnType<typeof openTrackerOwner>>;
let member: Awaited<ReturnType<typeof registerUser>> & { readonly bearers: readonly string[] };
let accountId: string;

beforeAll(async () => {
  const env = {
    // On each server, eight writers occupy connections while they wait for the cashbox that this test locks. The revocation needs
    // another connection.
    DATABASE_POOL_MAX: '20',
    RATE_LIMIT_ADMIN_PER_MINUTE: '0',
    RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '0',
    STEP_UP_MAX_AGE_SECONDS: '86400',
  };
  servers = [await sandbox.startServer({ dataDir, env }), await sandbox.startServer({ dataDir, env })];
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  locks = await openCashboxLocks(connectionString);
  const { origin } = servers[0] as Server;
  const tenant = await createTenant(origin);
  trackerOwner = await openTrackerOwner(origin, tenant);
  ({ accountId } = await prepareAccounts(trackerOwner.call));
  const user = await registerUser(origin);
  const program = await openProgram(origin, user.headers);
  member = { ...user, bearers: [user.headers.Authorization ?? '', program.Authorization] };
});
afterAll(async () => {
  await locks.end();
  await owner.end();
});

/** Logs in as the owner of the tracker, and verifies a one-time code. `stayLoggedIn` refreshes the access token. */
async function openTrackerOwner(origin: string, { email, password, trackerId }: Tenant) {
  const anonymous = callsTo(origin);
  const session = await succeed(anonymous, 'POST /v1/identity/sessions', { body: { email, password } });
  let refreshToken: string = session.refreshToken;
  let headers: Readonly<Record<string, string>>;
  let call: Call;
  const useToken = (accessToken: string) => {
    headers = { Authorization: `Bearer ${accessToken}`, 'X-Service-Tracker-Id': trackerId };
    call = callsTo(origin, headers);
  };
  useToken(session.accessToken);
  const { secret } = await succeed((...request) => call(...request), 'POST /v1/identity/totp');
  const body = { code: await generate({ secret }) };
  useToken((await succeed((...request) => call(...request), 'POST /v1/identity/totp/confirm', { body })).accessToken);
  return {
    trackerId,
    call: ((...request) => call(...request)) as Call,
    headers: () => headers,
    async stayLoggedIn() {
      const next = await succeed(anonymous, 'POST /v1/identity/sessions/refresh', { body: { refreshToken } });
      refreshToken = next.refreshToken;
      useToken(next.accessToken);
    },
  };
}

/** A way to lose a right: the credentials of the writers, the request that revokes the right, and the expected responses. */
interface Loss {
  readonly prepare: () => Promise<{ readonly bearers: readonly string[]; readonly revoke: () => Promise<Answer> }>;
  readonly revokedStatus: number;
  readonly refusal: { readonly status: number; readonly code: string };
}

const membersPath = () => `/v1/financial/trackers/${trackerOwner.trackerId}/members`;

function addEditor(): Promise<void> {
  const { origin } = servers[0] as Server;
  return addMember(origin, {
    asOwner: trackerOwner.headers(),
    trackerId: trackerOwner.trackerId,
    user: member,
    role: 'editor',
  });
}

const losses: Readonly<Record<string, Loss>> = {
  'a key is revoked': {
    async prepare() {
      const { clientId, secret } = await succeed(trackerOwner.call, 'POST /v1/financial/api-keys', {
        body: {
          name: 'Soon revoked',
          scopes: ['movements:write', 'transfers:write'],
          access: { mode: 'selected', trackerIds: [trackerOwner.trackerId] },
        },
      });
      return {
        bearers: [`Bearer ${secret}`],
        revoke: () => trackerOwner.call(`DELETE /v1/financial/api-keys/${clientId}`),
      };
    },
    revokedStatus: 204,
    refusal: { status: 401, code: 'CREDENTIAL_REVOKED' },
  },
  'a member is removed': {
    async prepare() {
      await addEditor();
      return { bearers: member.bearers, revoke: () => trackerOwner.call(`DELETE ${membersPath()}/${member.userId}`) };
    },
    revokedStatus: 204,
    refusal: { status: 403, code: 'TRACKER_FORBIDDEN' },
  },
  'an editor becomes a viewer': {
    async prepare() {
      const setRole = (role: string) =>
        trackerOwner.call(`PATCH ${membersPath()}/${member.userId}`, { body: { role } });
      const isMember = (await setRole('editor')).status === 200;
      if (!isMember) await addEditor();
      return { bearers: member.bearers, revoke: () => setRole('viewer') };
    },
    revokedStatus: 200,
    refusal: { status: 403, code: 'INSUFFICIENT_ROLE' },
  },
};

/** Starts the writes of one round: sixteen clients that write until they are refused. */
function startWriters(marker: string, bearers: readonly string[]) {
  const outcomes = { successes: 0, lateSuccesses: 0, isRevoked: false, refusals: [] as Answer[] };
  async function writeRepeatedly(position: number): Promise<void> {
    const { origin } = servers[position % servers.length] as Server;
    const call = callsTo(origin, {
      Authorization: bearers[Math.floor(position / 2) % bearers.length] ?? '',
      'X-Service-Tracker-Id': trackerOwner.trackerId,
    });
    for (;;) {
      const isSentAfterRevocation = outcomes.isRevoked;
      const answer = await call('POST /v1/financial/movements', {
        headers: { 'Idempotency-Key': randomUUID() },
        body: { type: 'expense', amountDecimal: '1.00', accountId, description: marker },
      });
      if (answer.status !== 201) {
        outcomes.refusals.push(answer);
        return;
      }
      outcomes.successes += 1;
      if (isSentAfterRevocation) {
        outcomes.lateSuccesses += 1;
        return;
      }
    }
  }
  const ended = Promise.all(Array.from({ length: writerCount }, (_, position) => writeRepeatedly(position)));
  return { outcomes, ended };
}

async function countEffects(marker: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select count(*)::int as n from app.movements where tracker_id = $1 and description = $2',
    [trackerOwner.trackerId, marker],
  );
  return rows[0]?.n ?? 0;
}

/**
 * Revokes the right. If `blocksWrites` is true, first blocks the writes in progress, and unblocks them when the revocation waits for them.
 * If the revocation does not wait, the writes are still blocked when it has ended.
 */
async function revokeDuringWrites(revoke: () => Promise<Answer>, blocksWrites: boolean): Promise<Answer> {
  if (!blocksWrites) return revoke();
  await locks.lock([accountId]);
  await locks.waitForBlockedWrite();
  let isRevoked = false;
  const revoking = revoke().finally(() => {
    isRevoked = true;
  });
  await until('the revocation waits or has ended', async () => isRevoked || (await locks.countAdvisoryWaits()) > 0);
  // Writes that are still blocked commit after the response to the revocation, so the test counts them as violations.
  if (!isRevoked) await locks.release();
  return revoking;
}

const parts = Object.keys(losses).length;

it.each(Object.entries(losses).map(([name, loss], index) => [name, loss, (index + 1) / parts] as const))(
  'the server commits no write of sixteen clients after the response that confirms that %s',
  async (name, loss, part) => {
    const violations = newTally(
      'committed after the answer',
      'accepted although sent after the response',
      'refused otherwise',
      'not revoked',
    );
    const seen = newTally('rounds', 'effects', 'revokedDuringBlockedWrites');
    for (let round = 0; round < rounds && !isLate(part); round += 1) {
      seen.rounds += 1;
      const random: SeededRandom = seededRandom(proofSeed, `${name} ${round}`);
      // Access tokens are valid for a quarter of an hour.
      if (round % 100 === 99) await trackerOwner.stayLoggedIn();
      const marker = randomUUID();
      const { bearers, revoke } = await loss.prepare();
      const { outcomes, ended } = startWriters(marker, bearers);
      const successesBefore = drawBelow(random, writerCount);
      await until(
        'the writers have started',
        () => outcomes.successes >= successesBefore || outcomes.refusals.length > 0,
      );
      const blocksWrites = random.hits(0.5);
      const revocation = await revokeDuringWrites(revoke, blocksWrites);
      outcomes.isRevoked = true;
      const atTheAnswer = await countEffects(marker);
      await locks.release();
      await ended;
      const atTheEnd = await countEffects(marker);

      if (revocation.status !== loss.revokedStatus) violations['not revoked'] += 1;
      violations['committed after the answer'] += atTheEnd - atTheAnswer;
      violations['accepted although sent after the response'] += outcomes.lateSuccesses;
      violations['refused otherwise'] += outcomes.refusals.filter(
        ({ status, error }) => status !== loss.refusal.status || error.code !== loss.refusal.code,
      ).length;
      seen.effects += atTheEnd;
      if (blocksWrites) seen.revokedDuringBlockedWrites += 1;
    }

    await recordProof({
      id: 'T14',
      promise: `Once a response confirms that ${name}, no write that needs the lost right is committed`,
      seed: proofSeed,
      injected: { writers: writerCount, ...seen },
      violations,
    });
    expect(Object.entries(violations).filter(([, times]) => times !== 0)).toEqual([]);
  },
);
