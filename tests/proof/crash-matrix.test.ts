import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, callsTo } from '../acceptance/support/call-api.js';
import { getPostgresOf } from '../acceptance/support/postgres-of.js';
import { repository } from '../acceptance/support/repository.js';
import { openSandbox, type Server } from '../acceptance/support/sandbox.js';
import { bulkKinds, bulkOperations } from './support/bulk-writes.js';
import { connectAsOwner, crashPostgres } from './support/crash-postgres.js';
import { kinds } from './support/effects.js';
import { type PreparedWrite, operations as singleOperations } from './support/prepared-writes.js';
import { isLong, proofMsMax, recordProof } from './support/proof-record.js';
import { isSuccess, retryUntilFinal } from './support/retry-until-final.js';
import { createTenantsWithAccounts, type TenantWithAccounts } from './support/tenants-with-accounts.js';

const sandbox = openSandbox();
const dataDir = sandbox.newDataDir();
const recoveries = [
  'with the restarted server',
  'with another server',
  'with another server, after PostgreSQL crashed as well',
] as const;
type Recovery = (typeof recoveries)[number];

const operations = { ...singleOperations, ...bulkOperations };
type Operation = keyof typeof operations;

let survivor: Server;
let connectionString: string;
let owner: pg.Client;
let accounts: TenantWithAccounts['accounts'];
let headers: TenantWithAccounts['headers'];
let nextServer: Promise<Server>;

beforeAll(async () => {
  survivor = await sandbox.startServer({ dataDir });
  [{ accounts, headers }] = await createTenantsWithAccounts(survivor.origin, 1);
  ({ connectionString } = await getPostgresOf(dataDir));
  owner = await connectAsOwner(connectionString);
  nextServer = prepareServer();
});
afterAll(async () => {
  await nextServer.then(
    (server) => server.kill('SIGKILL'),
    () => {},
  );
  await owner.end();
});

/** Starts the server that the test kills next, but does not wait for it. A failed start is reported only when the promise is awaited. */
function prepareServer(): Promise<Server> {
  const next = startWithFailpoints();
  next.catch(() => {});
  return next;
}

/** Starts a server with failpoints on the same database. */
async function startWithFailpoints(): Promise<Server> {
  return sandbox.startServer({
    env: {
      DATABASE_URL: connectionString,
      NODE_OPTIONS: `--import ${repository}/tests/proof/support/failpoints.mjs`,
    },
  });
}

/** A point in the execution of a request, with the name of its failpoint. */
interface Point {
  readonly name: string;
  /** Whether the write is committed at that point; null if unknown. */
  readonly isCommitted: boolean | null;
}

/** Returns all points of a write: the arrival of the request, the points before and after each statement, and those of the response. */
async function pointsOf(kind: Operation): Promise<Point[]> {
  const { origin } = await nextServer;
  // Sends one write without killing the server, because its response lists the statements that a write of this kind executes.
  const { headers: headersOfAnswer } = await send(await operations[kind](accounts, randomUUID()), {
    origin,
    killAt: 'nowhere',
  });
  const statements = JSON.parse(headersOfAnswer.get('X-Proof-Statements') ?? '[]') as string[];
  const commit = statements.lastIndexOf('COMMIT');
  expect(statements[commit]).toBe('COMMIT');
  const statementsWithCommit = kind === 'an expense' || kind in bulkOperations ? 2 : 1;
  return [
    { name: 'request received', isCommitted: false },
    ...statements.flatMap((_, index) => [
      { name: `before statement ${index + 1}`, isCommitted: index > commit },
      // The last statements before COMMIT (two for an expense and a bulk request, otherwise one) are sent in one batch with COMMIT. If
      // PostgreSQL has responded to one of them, it has usually executed COMMIT too, but not always, so `isCommitted` is null.
      {
        name: `after statement ${index + 1}`,
        isCommitted: index < commit && index >= commit - statementsWithCommit ? null : index >= commit,
      },
    ]),
    ...['before the answer', 'half of the answer', 'after the answer'].map((name) => ({ name, isCommitted: true })),
  ];
}

function send(prepared: PreparedWrite, { origin, killAt }: { origin: string; killAt?: string }): Promise<Answer> {
  const call = callsTo(origin, { ...headers, ...(killAt === undefined ? {} : { 'X-Proof-Kill-At': killAt }) });
  return call(prepared.methodAndPath, { headers: prepared.headers, body: prepared.body });
}

/** Kills a server at the point, sends the same write twice more after the recovery, and returns the violations. */
async function crashAndRecover(prepared: PreparedWrite, point: Point, recovery: Recovery): Promise<string[]> {
  const killed = await nextServer;
  const first = await send(prepared, { origin: killed.origin, killAt: point.name }).catch(() => undefined);
  const { signal, stderr } = await killed.ended;
  if (recovery === 'with another server, after PostgreSQL crashed as well') {
    await crashPostgres(connectionString);
    // The crash of PostgreSQL has ended this connection too.
    owner = await connectAsOwner(connectionString);
  }
  // The next server starts in the background.
  nextServer = prepareServer();
  const { origin } = recovery === 'with the restarted server' ? await nextServer : survivor;
  const second = await retryUntilFinal(prepared.methodAndPath, () => send(prepared, { origin }));
  const third = await retryUntilFinal(prepared.methodAndPath, () => send(prepared, { origin: survivor.origin }));

  const isReplay = prepared.isReplay ?? (({ meta }: Answer) => meta?.idempotentReplay === true);
  const ids = [first, second, third].flatMap((answer) => (answer === undefined ? [] : [prepared.idOf(answer.data)]));
  const checks: Readonly<Record<string, boolean>> = {
    'it was killed': signal === 'SIGKILL',
    'it was killed at that point': /killed after \d+ answers/.exec(stderr)?.[0] === expectedOutput(point),
    'the client gets an answer if and only if the server sent it completely':
      (first !== undefined) === (point.name === 'after the answer'),
    'the retry succeeds': isSuccess(second),
    'the retry is a replay if and only if the write was committed':
      point.isCommitted === null || isReplay(second) === point.isCommitted,
    'a second retry is a replay': isReplay(third),
    'all answers have the same id': new Set(ids).size === 1,
    'the write has one effect': (await prepared.countEffects(owner)) === 1,
  };
  return Object.keys(checks).filter((check) => checks[check] === false);
}

/** Returns the expected output of a server that is killed before or after a statement; undefined for other points. */
function expectedOutput({ name }: Point): string | undefined {
  const [, when, number] = /^(before|after) statement (\d+)$/.exec(name) ?? [];
  return number === undefined ? undefined : `killed after ${Number(number) - (when === 'before' ? 1 : 0)} answers`;
}

const operationKinds = [...kinds, ...bulkKinds];

describe.each(operationKinds)('a server that is killed at any point of a write (%s)', (kind) => {
  it(
    'has executed the write at most once; after a retry, the write has one effect, and all responses have the same id',
    async () => {
      const points = await pointsOf(kind);
      // A short run tests half of the points of each kind of write: the even points of one kind, and the odd points of the next. At each
      // point, it tests one recovery.
      const parity = operationKinds.indexOf(kind) % 2;
      const cells = points.flatMap((point, row) =>
        recoveries
          .filter((_, column) => isLong || (row % 2 === parity && column === Math.floor(row / 2) % recoveries.length))
          .map((recovery) => ({ point, recovery })),
      );
      const broken: string[] = [];
      for (const { point, recovery } of cells) {
        const found = await crashAndRecover(await operations[kind](accounts, randomUUID()), point, recovery);
        broken.push(...found.map((check) => `killed ${point.name}, retried ${recovery}: it is not true that ${check}`));
      }

      await recordProof({
        // The ids are those of docs/proof.md.
        id: kind in bulkOperations ? 'T29' : 'T1',
        promise: `If the server is killed at any point of a write (${kind}), the write has exactly one effect after a retry, and all successful responses have the same id`,
        seed: null,
        injected: { points: points.length, kills: cells.length },
        violations: { any: broken.length },
      });
      expect(broken).toEqual([]);
    },
    proofMsMax,
  );
});
