import { randomBytes, randomUUID } from 'node:crypto';
import { routes, type Session } from '@centavo/contracts';
import { NobleCryptoPlugin, ScureBase32Plugin, TOTP } from 'otplib';
import pg from 'pg';
import { cheapPasswords } from '../../../test-support/cheap-passwords.js';
import { CredentialUse } from '../../auth/credentials.js';
import type { EncryptionKey } from '../../config/encryption-keys.js';
import { createDatabase } from '../../database/pool.js';
import { EventWaits } from '../../http/event-waits.js';
import { handleOperation } from '../../http/handle-operation.js';
import type { OperationServer } from '../../http/operation.js';
import { type Answer, errorAnswer } from '../../http/response.js';
import { KeyedMutex } from '../../idempotency/keyed-mutex.js';
import { createEmbeddedIdentity, type EmbeddedIdentity } from '../index.js';
import type { PasswordHashing } from '../users/password-hashing.js';

type IdentityOperation = Extract<
  keyof typeof routes,
  | 'createUser'
  | 'createSession'
  | 'refreshSession'
  | 'endSession'
  | 'getMe'
  | 'enrolTotp'
  | 'confirmTotp'
  | 'verifyTotp'
>;

/** A response whose body has the type `any`. Each test states the fields that it expects. */
export interface TestAnswer extends Answer {
  // biome-ignore lint/suspicious/noExplicitAny: a test inspects any response
  readonly body: any;
}

/**
 * The embedded identity provider with its own database and a clock that the test controls. Its operations run through `handleOperation`, as
 * in the server.
 */
export interface TestIdentity {
  readonly identity: EmbeddedIdentity;
  readonly connectionString: string;
  now(): Date;
  advance(seconds: number): void;
  call(name: IdentityOperation, request?: { token?: string; body?: unknown; address?: string }): Promise<TestAnswer>;
  /** Registers a user and logs them in. */
  logIn(): Promise<Session & { email: string; password: string }>;
  /** Enrols and confirms an authenticator. Returns its secret, and the access token that the confirmation returned. */
  enrol(token: string): Promise<{ secret: string; accessToken: string }>;
  /** Returns the code of the time step that is `steps` after the current step. `steps` may be negative. */
  codeOf(secret: string, steps?: number): Promise<string>;
  /** Runs an SQL statement as the owner of the tables, and returns its rows. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

const totp = new TOTP({ crypto: new NobleCryptoPlugin(), base32: new ScureBase32Plugin() });
const stepMs = 30_000;

/**
 * Opens the embedded identity provider on a migrated, empty database.
 * @param own the database; `close` drops it
 */
export function openIdentity(
  own: { readonly connectionString: string; drop(): Promise<void> },
  options: {
    registration?: 'open' | 'closed';
    encryptionKeys?: readonly EncryptionKey[];
    poolMax?: number;
    passwords?: PasswordHashing;
  } = {},
): TestIdentity {
  const database = createDatabase({ connectionString: own.connectionString, poolMax: options.poolMax ?? 8 });
  // The clock starts in the middle of a time step. It is close to PostgreSQL's clock, because authentication compares the expiry of a
  // session with PostgreSQL's clock.
  let nowMs = Math.floor(Date.now() / stepMs) * stepMs + stepMs / 2;
  const identity = createEmbeddedIdentity({
    database,
    registration: options.registration ?? 'open',
    clock: () => new Date(nowMs),
    randomBytes,
    encryptionKeys: options.encryptionKeys ?? [],
    passwords: options.passwords ?? cheapPasswords,
  });
  const server: OperationServer = {
    database,
    replica: null,
    identity: identity.provider,
    limiter: {
      consumeForPrincipal: async () => null,
      consumeForAddress: async () => null,
      consumeForFailure: async () => null,
      peekForFailure: async () => null,
    },
    keyedMutex: new KeyedMutex(),
    eventWaits: new EventWaits(),
    clock: { now: () => nowMs, sleep: () => Promise.resolve(), random: () => 0 },
    newId: randomUUID,
    now: () => new Date(nowMs),
    stepUpMaxAgeSeconds: 600,
    stepUpCalls: new Set(),
    isSharded: false,
    credentialUse: new CredentialUse({ database, now: () => nowMs }),
  };

  const bench: TestIdentity = {
    identity,
    connectionString: own.connectionString,
    now: () => new Date(nowMs),
    advance(seconds) {
      nowMs += seconds * 1000;
    },
    async call(name, request = {}) {
      const endpoint = identity.endpoints.find(({ route }) => route === routes[name]);
      if (endpoint === undefined) throw new Error(`No endpoint serves ${name}`);
      const incoming = {
        rawQuery: '',
        authorization: request.token === undefined ? undefined : `Bearer ${request.token}`,
        trackerHeader: undefined,
        idempotencyKey: undefined,
        ifMatch: undefined,
        ifNoneMatch: undefined,
        readAfter: undefined,
        contentType: 'application/json',
        contentEncoding: undefined,
        body: Buffer.from(request.body === undefined ? '' : JSON.stringify(request.body)),
      };
      const requestId = randomUUID();
      try {
        const sender = { address: request.address ?? '127.0.0.1', addHeaders: () => {}, onClose: () => {} };
        const answer = await handleOperation(server, { endpoint, incoming, pathParameters: {}, requestId, ...sender });
        endpoint.route.data?.parse((answer.body as { data: unknown }).data);
        return answer;
      } catch (error) {
        const answer = errorAnswer(error, requestId);
        // Rethrows an internal error, so that the output of the test shows the error itself and not only a response with status 500.
        if (answer.status === 500) throw error;
        return answer;
      }
    },
    async logIn() {
      const email = `${randomUUID()}@example.com`;
      const password = randomUUID();
      await bench.call('createUser', { body: { email, password } });
      const { body } = await bench.call('createSession', { body: { email, password } });
      return { ...body.data, email, password };
    },
    async enrol(token) {
      const enrolled = await bench.call('enrolTotp', { token });
      const { secret } = enrolled.body.data;
      const confirmed = await bench.call('confirmTotp', { token, body: { code: await bench.codeOf(secret) } });
      return { secret, accessToken: confirmed.body.data.accessToken };
    },
    codeOf: (secret, steps = 0) => totp.generate({ secret, epoch: Math.floor((nowMs + steps * stepMs) / 1000) }),
    async rows(sql) {
      const client = new pg.Client({ connectionString: own.connectionString });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    async close() {
      await database.close();
      await own.drop();
    },
  };
  return bench;
}
