import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { type EncryptionKey, encryptionKeysPattern, parseEncryptionKeys } from './encryption-keys.js';
import { type ExternalIssuer, readExternalIssuer } from './external-issuer.js';
import { readTls, type TlsFiles } from './tls.js';

/** What the operator may say about the server, all from the environment. Source: contract, sections 7, 8 and 10. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The login that serves; null with the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The owner of the tables, for migrations and operators' commands; null where DATABASE_URL is the owner. */
  readonly databaseOwnerUrl: string | null;
  /** A standby of it that may be read from. */
  readonly databaseReplicaUrl: string | null;
  readonly dataDir: string;
  /** How many serve on one port; with 1 the process that was started serves itself. */
  readonly processes: number;
  /** Of each process. */
  readonly databasePoolMax: number;
  readonly logLevel: string;
  readonly demo: boolean;
  readonly registration: 'open' | 'closed';
  /** Who vouches for users instead of the embedded provider. */
  readonly externalIssuer: ExternalIssuer | null;
  /** With the first the embedded provider seals what it has to read again, with all it opens that. */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly stepUpMaxAgeSeconds: number;
  readonly keyMaxValidityDays: number;
  readonly integrationClientsRequireStepUp: boolean;
  readonly tls: TlsFiles | null;
  readonly trustProxyHops: number;
  readonly allowInsecureHttp: boolean;
  /** How many a minute; 0 switches one off. */
  readonly ratesPerMinute: {
    readonly reads: number;
    readonly writes: number;
    readonly admin: number;
    readonly auth_failures: number;
  };
  readonly redisUrl: string | null;
  readonly drainDelayMs: number;
  /** Null: idempotency keys are kept for ever. */
  readonly idempotencyRetentionDays: number | null;
  /** What is no mistake, but what the operator should know at the start. */
  readonly warnings: readonly string[];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const notPostgresAddress =
  'is not a postgres:// address (in user and password @ is written %40, / is %2F, : is %3A, # is %23 and % is %25)';

// Their values are never repeated: an address may hold a password, and a key is a secret itself.
const secrets: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
]);

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `is not between ${min} and ${max}`);

const flag = z.enum(['true', 'false'], 'is neither true nor false').default('false');

const ratePerMinute = (otherwise: number) => wholeNumber({ min: 0, max: 1_000_000 }).default(otherwise);

const rateLimitNames = [
  'RATE_LIMIT_READS_PER_MINUTE',
  'RATE_LIMIT_WRITES_PER_MINUTE',
  'RATE_LIMIT_ADMIN_PER_MINUTE',
  'RATE_LIMIT_AUTH_FAILURES_PER_MINUTE',
] as const;

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber({ min: 0, max: 65_535 }).default(8080),
  DATABASE_URL: z.string().refine(isPostgresAddress, notPostgresAddress).optional(),
  DATABASE_OWNER_URL: z.string().refine(isPostgresAddress, notPostgresAddress).optional(),
  DATABASE_REPLICA_URL: z.string().refine(isPostgresAddress, notPostgresAddress).optional(),
  DATA_DIR: z.string().optional(),
  CENTAVO_PROCESSES: wholeNumber({ min: 1, max: 64 }).default(1),
  DATABASE_POOL_MAX: wholeNumber({ min: 1, max: 200 }).optional(),
  LOG_LEVEL: z.enum(logLevels, `is not one of ${logLevels.join(', ')}`).default('info'),
  DEMO: z.enum(['on', 'off'], 'is neither on nor off').default('off'),
  REGISTRATION: z.enum(['open', 'closed'], 'is neither open nor closed').default('open'),
  ENCRYPTION_KEY: z
    .string()
    .regex(encryptionKeysPattern, 'is not 32 bytes in Base64, as `openssl rand -base64 32` prints them')
    .transform(parseEncryptionKeys)
    .default([]),
  STEP_UP_MAX_AGE_SECONDS: wholeNumber({ min: 1, max: 86_400 }).default(600),
  KEY_MAX_VALIDITY_DAYS: wholeNumber({ min: 1, max: 3_650 }).default(365),
  INTEGRATION_CLIENTS_REQUIRE_STEP_UP: flag,
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  TRUST_PROXY: wholeNumber({ min: 0, max: 10 }).default(0),
  ALLOW_INSECURE_HTTP: flag,
  RATE_LIMIT_READS_PER_MINUTE: ratePerMinute(600),
  RATE_LIMIT_WRITES_PER_MINUTE: ratePerMinute(300),
  RATE_LIMIT_ADMIN_PER_MINUTE: ratePerMinute(10),
  RATE_LIMIT_AUTH_FAILURES_PER_MINUTE: ratePerMinute(20),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'is not a redis:// or rediss:// address')
    .refine((value) => URL.canParse(value), 'is not a redis:// or rediss:// address')
    .optional(),
  DRAIN_DELAY_MS: wholeNumber({ min: 0, max: 60_000 }).default(0),
  // 0 stands for ever.
  IDEMPOTENCY_RETENTION_DAYS: wholeNumber({ min: 0, max: 36_500 }).default(0),
});

/**
 * Reads the configuration, and the files that it names; an empty variable counts as unset.
 * @param now the time at which a certificate should be valid
 * @throws Error that names every mistake at once, each with its variable and, unless it is a secret, its value
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  defaultDataDir: string,
  now = new Date(),
): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(present);
  const mistakes = result.success ? [] : result.error.issues.map((issue) => mistakeOf(issue, present));
  const { tls, ...judged } = readTls(present, now);
  mistakes.push(...judged.mistakes);
  // Judged from what was written rather than from `result`, so that another mistake does not hide this one.
  const { HOST: host, TLS_CERT_FILE: certFile, TRUST_PROXY: hops = '0', ALLOW_INSECURE_HTTP: insecureHttp } = present;
  if (host !== undefined && !isLoopback(host) && certFile === undefined && /^0+$/.test(hops)) {
    if (insecureHttp !== 'true') {
      mistakes.push(
        `HOST ${host} is not loopback: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY behind a proxy, ` +
          'or ALLOW_INSECURE_HTTP=true',
      );
    }
  }
  if (Number(present.CENTAVO_PROCESSES ?? '1') > 1 && present.REDIS_URL === undefined) {
    const counting = rateLimitNames.filter((name) => !/^0+$/.test(present[name] ?? ''));
    if (counting.length > 0) {
      mistakes.push(
        `CENTAVO_PROCESSES is ${JSON.stringify(present.CENTAVO_PROCESSES)}, and each process would count by itself: ` +
          `set REDIS_URL, or switch off with 0 what is limited (${counting.join(', ')})`,
      );
    }
  }
  if (
    present.DATABASE_REPLICA_URL !== undefined &&
    (present.DATABASE_URL ?? present.DATABASE_OWNER_URL) === undefined
  ) {
    mistakes.push(
      'DATABASE_REPLICA_URL is set without DATABASE_URL, and the embedded PostgreSQL has no replica: set both',
    );
  }
  const external = readExternalIssuer(present);
  mistakes.push(...external.mistakes);
  if (!result.success || mistakes.length > 0) {
    throw new Error(`The configuration is not valid:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`);
  }
  const values = result.data;
  return {
    host: values.HOST,
    port: values.PORT,
    databaseUrl: values.DATABASE_URL ?? null,
    databaseOwnerUrl: values.DATABASE_OWNER_URL ?? null,
    databaseReplicaUrl: values.DATABASE_REPLICA_URL ?? null,
    dataDir: values.DATA_DIR ?? defaultDataDir,
    processes: values.CENTAVO_PROCESSES,
    databasePoolMax: values.DATABASE_POOL_MAX ?? defaultPoolMax(values.CENTAVO_PROCESSES, present.DATABASE_URL),
    logLevel: values.LOG_LEVEL,
    demo: values.DEMO === 'on',
    registration: values.REGISTRATION,
    externalIssuer: external.issuer,
    encryptionKeys: values.ENCRYPTION_KEY,
    stepUpMaxAgeSeconds: values.STEP_UP_MAX_AGE_SECONDS,
    keyMaxValidityDays: values.KEY_MAX_VALIDITY_DAYS,
    integrationClientsRequireStepUp: values.INTEGRATION_CLIENTS_REQUIRE_STEP_UP === 'true',
    tls,
    trustProxyHops: values.TRUST_PROXY,
    allowInsecureHttp: values.ALLOW_INSECURE_HTTP === 'true',
    ratesPerMinute: {
      reads: values.RATE_LIMIT_READS_PER_MINUTE,
      writes: values.RATE_LIMIT_WRITES_PER_MINUTE,
      admin: values.RATE_LIMIT_ADMIN_PER_MINUTE,
      auth_failures: values.RATE_LIMIT_AUTH_FAILURES_PER_MINUTE,
    },
    redisUrl: values.REDIS_URL ?? null,
    drainDelayMs: values.DRAIN_DELAY_MS,
    idempotencyRetentionDays: values.IDEMPOTENCY_RETENTION_DAYS === 0 ? null : values.IDEMPOTENCY_RETENTION_DAYS,
    warnings: judged.warnings,
  };
}

/**
 * The default number of connections of each process. The embedded PostgreSQL shares the processors with this process: two
 * connections for each processor and one more keep them busy, and more only evict each other's caches (decision 0035). In any
 * case all processes together leave 20 of PostgreSQL's usual 100 connections to commands and backups, and to the one process
 * more that runs while another is replaced.
 */
function defaultPoolMax(processes: number, databaseUrl: string | undefined): number {
  const busyMax = databaseUrl === undefined ? 2 * availableParallelism() + 1 : 10;
  return Math.max(1, Math.min(busyMax, Math.floor(80 / (processes + 1))));
}

function mistakeOf(
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  present: Readonly<Record<string, string | undefined>>,
): string {
  const name = path.join('.');
  return secrets.has(name) ? `${name} ${message}` : `${name} is ${JSON.stringify(present[name])}, which ${message}`;
}

/** Whether the driver can read it: it decodes each part by itself, and what a password has left undecoded breaks there. */
function isPostgresAddress(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, password, pathname } = new URL(text);
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
