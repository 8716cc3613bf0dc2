import { randomBytes, randomUUID } from 'node:crypto';
import {
  errorCodes,
  errorEnvelope,
  previewOf,
  type RouteContract,
  type RouteName,
  routes,
  type SuccessMeta,
  successEnvelope,
} from '@centavo/contracts';
import { generate } from 'otplib';
import pino from 'pino';
import type * as z from 'zod';
import { composeServer } from '../src/app.js';
import { readConfig } from '../src/config/env.js';
import type { ConnectionLimits } from '../src/http/server.js';
import { cheapPasswords } from './cheap-passwords.js';
import { checkResponses } from './check-responses.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

/** The parts of a request that a test chooses. `call` adds the rest, such as an Idempotency-Key if the operation requires one. */
export interface CallOptions {
  token?: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Sent as X-Service-Tracker-Id. */
  tracker?: string;
  idempotencyKey?: string;
  ifMatch?: string;
  headers?: Record<string, string>;
}

type DataOf<Name extends RouteName> = (typeof routes)[Name]['data'] extends z.ZodType
  ? z.output<(typeof routes)[Name]['data']>
  : null;

/** A response that was checked against the contract. */
export interface CallResult<Name extends RouteName = RouteName> {
  status: number;
  headers: Headers;
  /** The `data` of a successful response. Null for an error, so that a test fails if it reads a field of `data`. */
  data: DataOf<Name>;
  meta: SuccessMeta;
  error: { code: string; message: string; details: Record<string, unknown> } | undefined;
  /** The issues of a validation error, each as `path CODE`, such as `name REQUIRED`. Empty for all other responses. */
  issues: string[];
}

/** A user with a session. */
export interface TestUser {
  userId: string;
  email: string;
  password: string;
  token: string;
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

// The rate limits are high, because a test sends as many requests in a second as a client sends in an hour. The rate limits stay on, so
// that every response has the rate limit headers.
const generousRates = {
  RATE_LIMIT_READS_PER_MINUTE: '1000000',
  RATE_LIMIT_WRITES_PER_MINUTE: '1000000',
  RATE_LIMIT_ADMIN_PER_MINUTE: '1000000',
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: '1000000',
};

/**
 * Starts the whole server on a new database. The test controls the server's clock. As in production, the server connects with a
 * login role that owns nothing.
 * @param options.env environment variables; an empty value restores the server's default
 * @param options.database a migrated database without rows, instead of a new database in the test cluster
 * @param options.connectThrough returns the URL by which the server reaches the database, such as the URL of a proxy
 * @param options.stoppedClock whether only `advance` moves the server's clocks
 * @param options.connectionLimits limits for slow connections, which replace the defaults
 */
export async function startTestServer(
  options: {
    env?: Record<string, string>;
    database?: TestDatabase;
    connectThrough?: (connectionString: string) => Promise<string>;
    stoppedClock?: boolean;
    connectionLimits?: Partial<ConnectionLimits>;
    /**
     * Whether the job that assigns sequence numbers to events runs. By default the job does not run, so that it adds nothing to the SQL
     * statements that a test counts.
     */
    numbersEvents?: boolean;
    /** Milliseconds between two checks for due webhook deliveries. If omitted, the server delivers nothing. */
    deliveryIntervalMs?: number;
    /** Called with every log line, including `debug`. */
    onLog?: (line: string) => void;
  } = {},
) {
  const database = options.database ?? (await createTestDatabase());
  const statements: string[] = [];
  let offsetMs = 0;
  const startedAtMs = Date.now();
  const nowMs = () => (options.stoppedClock ? startedAtMs : Date.now()) + offsetMs;
  const server = await composeServer({
    config: readConfig({ PORT: '0', ...generousRates, ...options.env }, '/nowhere'),
    connectionString: (await options.connectThrough?.(database.servingUrl)) ?? database.servingUrl,
    logger:
      options.onLog === undefined
        ? pino({ level: 'silent' })
        : pino({ level: 'debug', base: null }, { write: options.onLog }),
    passwords: cheapPasswords,
    now: () => new Date(nowMs()),
    elapsedMs: nowMs,
    onStatement: (sql) => statements.push(sql),
    numbersEvents: options.numbersEvents ?? false,
    deliveryIntervalMs: options.deliveryIntervalMs ?? null,
    ...(options.connectionLimits === undefined ? {} : { connectionLimits: options.connectionLimits }),
  });
  // The first sweeps would otherwise add statements to those that a test counts.
  await server.settled();
  const stopChecks = checkResponses(server.origin);

  async function call<Name extends RouteName>(name: Name, options: CallOptions = {}): Promise<CallResult<Name>> {
    const route = routes[name] as RouteContract;
    const path = route.call.path.replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(options.params?.[key] ?? ''),
    );
    const url = new URL(server.origin + route.call.base + path);
    for (const [key, value] of Object.entries(options.query ?? {})) url.searchParams.append(key, value);
    const key = options.idempotencyKey ?? (route.call.idempotency === 'required' ? randomUUID() : undefined);
    const response = await fetch(url, {
      method: route.call.method,
      headers: {
        ...(options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` }),
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(options.tracker === undefined ? {} : { 'X-Service-Tracker-Id': options.tracker }),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        ...(options.ifMatch === undefined ? {} : { 'If-Match': options.ifMatch }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    return (await readResult(route, response)) as CallResult<Name>;
  }

  async function newUser(): Promise<TestUser> {
    const email = `${randomUUID()}@example.org`;
    const password = 'correct horse battery';
    // A server that trusts proxies reads the client's address from X-Forwarded-For. The address is random, so that two users
    // do not share a rate limit.
    const headers = { 'X-Forwarded-For': `10.${[...randomBytes(3)].join('.')}` };
    const created = await call('createUser', { body: { email, password, displayName: 'Ada' }, headers });
    const session = await call('createSession', { body: { email, password }, headers });
    return { userId: created.data.userId, email, password, token: session.data.accessToken };
  }

  /** Creates a user who has just verified a one-time code. The user's token contains the time of this verification. */
  async function newSteppedUpUser(): Promise<TestUser> {
    const user = await newUser();
    const enrolment = await call('enrolTotp', { token: user.token });
    const code = await generate({ secret: enrolment.data.secret, epoch: Math.floor(nowMs() / 1000) });
    const confirmed = await call('confirmTotp', { token: user.token, body: { code } });
    return { ...user, token: confirmed.data.accessToken };
  }

  /** Creates a tracker with one account and one cashbox. */
  async function newTracker(user: TestUser, tracker: { currencyCode?: string; timeZone?: string } = {}) {
    const { data } = await call('createTracker', {
      token: user.token,
      body: { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid', ...tracker },
    });
    const account = await newAccount(user, data.id);
    return { id: data.id as string, accountId: account.id, cashboxId: account.cashboxes[0]?.id ?? '' };
  }

  /** Invites a user to a tracker and accepts the invitation. */
  async function addMember(member: {
    by: Pick<TestUser, 'token'>;
    trackerId: string;
    user: Pick<TestUser, 'token' | 'email'>;
    role: string;
  }): Promise<void> {
    const { by, trackerId, user, role } = member;
    const invited = await call('addMember', {
      token: by.token,
      params: { trackerId },
      body: { email: user.email, role },
    });
    const joined = await call('acceptInvitation', { token: user.token, params: { trackerId } });
    if (invited.status !== 201 || joined.status !== 200) {
      throw new Error(`The member was not added: ${JSON.stringify(invited.error ?? joined.error)}`);
    }
  }

  async function newAccount(user: TestUser, tracker: string, body: Record<string, unknown> = {}) {
    const { data } = await call('createAccount', {
      token: user.token,
      tracker,
      body: { name: 'Checking', type: 'checking', ...body },
    });
    return data as { id: string; cashboxes: { id: string }[] };
  }

  return {
    origin: server.origin,
    baseUrl: `${server.origin}/v1/financial`,
    /** URL of the database, with the login of its owner. */
    connectionString: database.connectionString,
    /** URL of the database, with the login role of the server. */
    servingUrl: database.servingUrl,
    /** Every SQL statement that the server sent, in order. */
    statements,
    settled: server.settled,
    call,
    newUser,
    newSteppedUpUser,
    newTracker,
    newAccount,
    addMember,
    /**
     * Advances the clocks of the server process for sessions, one-time codes and rate limits by `ms` milliseconds. The clock of
     * PostgreSQL does not change.
     */
    advance: (ms: number) => {
      offsetMs += ms;
    },
    async close() {
      stopChecks();
      await server.stop();
      await database.drop();
    },
  };
}

/** Checks the status, envelope, headers and every field of a response against the contract, and returns the `CallResult`. */
async function readResult(route: RouteContract, response: Response): Promise<unknown> {
  const text = await response.text();
  const requestId = response.headers.get('x-request-id');
  if (response.headers.get('cache-control') !== 'no-store, no-transform')
    throw new Error('Cache-Control is not "no-store, no-transform"');
  if (response.status === 204 || response.status === 304) {
    if (text !== '') throw new Error(`${response.status} has a body`);
    return { status: response.status, headers: response.headers, data: null, meta: null, error: undefined, issues: [] };
  }
  const body = JSON.parse(text) as { meta: { requestId: string } };
  if (body.meta.requestId !== requestId) throw new Error('X-Request-Id differs from meta.requestId');
  if (response.status >= 400) {
    const { error, meta } = errorEnvelope.parse(body);
    if (errorCodes[error.code].status !== response.status)
      throw new Error(`${error.code} has the status ${response.status}`);
    const issues = (error.details.issues ?? []) as { path: string; code: string }[];
    return {
      status: response.status,
      headers: response.headers,
      data: null,
      meta,
      error,
      issues: issues.map(({ path, code }) => `${path} ${code}`),
    };
  }
  if (route.data === null) throw new Error(`${route.call.name} declares no body, but the response has one`);
  const isDryRun = 'dryRun' in body.meta;
  const { data, meta } = successEnvelope<z.ZodType>(isDryRun ? previewOf(route.data) : route.data).parse(body) as {
    data: unknown;
    meta: Record<string, unknown>;
  };
  if (route.paginated !== (meta.pagination !== undefined))
    throw new Error('meta.pagination does not match the declaration of the route');
  if (route.feed !== (meta.feed !== undefined))
    throw new Error('meta.feed does not match the declaration of the route');
  return { status: response.status, headers: response.headers, data, meta, error: undefined, issues: [] };
}
