import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { type CashboxLocks, openCashboxLocks } from './support/lock-cashboxes.js';
import { operations, type PreparedAccounts, type PreparedWrite, prepareAccounts } from './support/prepared-writes.js';
import { isLong, recordProof } from './support/proof-record.js';
import { type OtherTenant, startOtherTenant } from './support/start-other-tenant.js';
import { newTally } from './support/tally.js';
import { createTenant } from './support/tenants.js';

const duplicates = 200;
const keys = isLong ? 500 : 8;
const otherTenantAnswers = isLong ? 3_000 : 150;

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const amounts = ['1.00', '7.00'] as const;
const writes = ['an expense', 'a transfer', 'a correction'] as const;

let servers: Server[];
let owner: pg.Client;
let locks: CashboxLocks;
let accounts: PreparedAccounts;
let headers: Readonly<Record<string, string>>;
let otherTenant: OtherTenant;

beforeAll(async () => {
  const first = await sandbox.startServer({ dataDir });
  const more = [1, 2].map(() => sandbox.startServer({ dataDir }));
  servers = [first, ...(await Promise.all(more))];
  const { connectionString } = await getPostgresOf(dataDir);
  owner = new pg.Client({ connectionString });
  await owner.connect();
  locks = await openCashboxLocks(connectionString);

  const { asUser, asProgram } = await createTenant(first.origin);
  headers = asProgram;
  accounts = await prepareAccounts(callsTo(first.origin, asUser));
  const other = await createTenant(first.origin);
  const { accountId } = await prepareAccounts(callsTo(first.origin, other.asUser));
  otherTenant = startOtherTenant({ origins: servers.map(({ origin }) => origin), headers: other.asProgram, accountId });
});
afterAll(async () => {
  await otherTenant.stop();
  await locks.end();
  await owner.end();
});

/** The requests under one key: the kind of write, the number of different bodies, and whether the test delays the write. */
interface Storm {
  readonly write: (typeof writes)[number];
  readonly bodies: 1 | 2;
  readonly isSlow: boolean;
}

const storms: readonly Storm[] = Array.from({ length: keys }, (_, index) => ({
  write: writes[index % writes.length] ?? 'an expense',
  bodies: index % 2 === 0 ? 1 : 2,
  isSlow: index % 4 >= 2,
}));

const violations = newTally(
  'more or less than one effect',
  'more or less than one first answer',
  'another id or amount than the first answer',
  'another body not refused as IDEMPOTENCY_KEY_REUSED',
  'a duplicate refused',
  'answers 5xx, or none',
  'the other tenant got an error',
);
const seen = newTally('requests', 'replays', 'keyReused', 'inProgress');

async function send(
  prepared: PreparedWrite,
  position: number,
  bodies: number,
): Promise<{ amount: string; answer: Answer }> {
  const amount = amounts[position % bodies] ?? amounts[0];
  // The servers alternate after every two requests, so that each server gets both bodies.
  const { origin } = servers[Math.floor(position / 2) % servers.length] as Server;
  const body = { ...(prepared.body as object), amountDecimal: amount };
  const call = callsTo(origin, { ...headers, ...prepared.headers });
  for (;;) {
    const answer = await call(prepared.methodAndPath, { body });
    seen.requests += 1;
    // A duplicate that has waited for five seconds gets IDEMPOTENCY_IN_PROGRESS. This error code asks the client to retry.
    if (answer.error?.code !== 'IDEMPOTENCY_IN_PROGRESS') return { amount, answer };
    seen.inProgress += 1;
  }
}

/** Sends 200 concurrent requests with one key, and checks their responses. */
async function runStorm({ write, bodies, isSlow }: Storm): Promise<void> {
  const prepared = await operations[write](accounts, randomUUID());
  if (isSlow) await locks.lock([accounts.accountId, accounts.otherAccountId]);
  const sent = Promise.all(Array.from({ length: duplicates }, (_, position) => send(prepared, position, bodies)));
  if (isSlow) {
    await locks.waitForBlockedWrite();
    // The server must serve another tenant while the write is blocked.
    await otherTenant.waitForAnswers(10);
    await locks.release();
  }
  const answers = await sent;

  const firstAnswers = answers.filter(({ answer }) => answer.status < 300 && answer.meta.idempotentReplay !== true);
  if (firstAnswers.length !== 1) violations['more or less than one first answer'] += 1;
  if ((await prepared.countEffects(owner)) !== 1) violations['more or less than one effect'] += 1;
  const [firstAnswer] = firstAnswers;
  for (const { amount, answer } of answers) {
    if (answer.status >= 500) violations['answers 5xx, or none'] += 1;
    else if (amount !== firstAnswer?.amount) {
      seen.keyReused += 1;
      const isRefused = answer.status === 409 && answer.error.code === 'IDEMPOTENCY_KEY_REUSED';
      if (!isRefused) violations['another body not refused as IDEMPOTENCY_KEY_REUSED'] += 1;
    } else if (answer.status >= 300) violations['a duplicate refused'] += 1;
    else {
      if (answer.meta.idempotentReplay === true) seen.replays += 1;
      const isSame =
        prepared.idOf(answer.data) === prepared.idOf(firstAnswer.answer.data) &&
        answer.data.amountDecimal === firstAnswer.amount;
      if (!isSame) violations['another id or amount than the first answer'] += 1;
    }
  }
}

it('the server executes a write once when 200 concurrent requests share an idempotency key, and meanwhile serves another tenant', async () => {
  await otherTenant.waitForAnswers(30);
  // Discards the results of the warm-up.
  otherTenant.report();
  await otherTenant.waitForAnswers(otherTenantAnswers);
  const alone = otherTenant.report();

  for (const storm of storms) await runStorm(storm);
  await otherTenant.waitForAnswers(1);
  const during = otherTenant.report();
  violations['the other tenant got an error'] += alone.failures + during.failures;

  await recordProof({
    id: 'T4',
    promise: `${duplicates} concurrent requests with one key have one effect and one response, while other tenants are served`,
    seed: null,
    injected: {
      keys,
      slowEffects: storms.filter(({ isSlow }) => isSlow).length,
      keysWithTwoBodies: storms.filter(({ bodies }) => bodies === 2).length,
      ...seen,
      otherTenantAnswersAlone: alone.answers,
      otherTenantP50MsAlone: alone.p50Ms,
      otherTenantP99MsAlone: alone.p99Ms,
      otherTenantAnswersDuringStorm: during.answers,
      otherTenantP50MsDuringStorm: during.p50Ms,
      otherTenantP99MsDuringStorm: during.p99Ms,
      otherTenantP99Ratio: Number((during.p99Ms / alone.p99Ms).toFixed(1)),
    },
    violations,
  });
  expect(Object.entries(violations).filter(([, times]) => times > 0)).toEqual([]);
});
