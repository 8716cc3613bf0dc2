import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';
import * as z from 'zod';
import { type EncryptionKey, encryptionKeysPattern, parseEncryptionKeys } from './encryption-keys.js';
import { type ExternalIssuer, readExternalIssuer } from './external-issuer.js';
import { readTls, type TlsFiles } from './tls.js';

/** The configuration of the server, from environment variables. Source: docs/contract.md, sections 7, 8 and 10. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The PostgreSQL URL with the login that the server uses to serve requests; null with the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The PostgreSQL URL with the login that owns the tables, for migrations and operators' commands; null if it is not set. */
  readonly databaseOwnerUrl: string | null;
  /** The URL of a replica that serves reads; null without a replica. */
  readonly databaseReplicaUrl: string | null;
  readonly dataDir: string;
  /** The number of processes that serve requests on the port. If it is 1, the started process serves them itself, without workers. */
  readonly processes: number;
  /** The maximum number of connections of each process to the database. The same maximum applies separately to the replica. */
  readonly databasePoolMax: number;
  readonly logLevel: string;
  readonly demo: boolean;
  readonly registration: 'open' | 'closed';
  /** The OpenID provider that authenticates users; null if the embedded provider authenticates them. */
  readonly externalIssuer: ExternalIssuer | null;
  /**
   * The keys for stored secrets. The server encrypts with the first key, and can decrypt with any key. If the list is empty, the
   * server stores secrets unencrypted.
   */
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly stepUpMaxAgeSeconds: number;
  readonly keyMaxValidityDays: number;
  readonly integrationClientsRequireStepUp: boolean;
  readonly tls: TlsFiles | null;
  readonly trustProxyHops: number;
  readonly allowInsecureHttp: boolean;
  /** The rate limits per minute; 0 switches a limit off. */
  readonly ratesPerMinute: {
    readonly reads: number;
    readonly writes: number;
    readonly admin: number;
    readonly auth_failures: number;
  };
  readonly redisUrl: string | null;
  readonly drainDelayMs: number;
  /** `isOn`: true if agents can call the MCP tools. `allowedOrigins`: the allowed values of the `Origin` header. */
  readonly mcp: { readonly isOn: boolean; readonly allowedOrigins: readonly string[] };
  /** The server removes idempotency keys after this number of days; null if it never removes them. */
  readonly idempotencyRetentionDays: number | null;
  /** The rules for webhook deliveries; null if this server has no webhooks. */
  readonly webhooks: WebhooksConfig | null;
  /** The server removes events after this number of days; null if it never removes them. */
  readonly eventRetentionDays: number | null;
  /** The warnings that are printed at startup. They do not prevent the start. */
  readonly warnings: readonly string[];
}

/** The rules for webhook deliveries. Source: docs/additions.md, section 0.6. */
export interface WebhooksConfig {
  /** True if `http:` URLs and port 80 are allowed, in addition to `https:` URLs, port 443 and ports of at least 1024. */
  readonly allowsHttp: boolean;
  /** The non-public networks to which deliveries are allowed. */
  readonly networks: readonly (readonly [address: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number])[];
  /** The proxy through which all deliveries are sent; null for none. */
  readonly proxyUrl: string | null;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const notPostgresUrl =
  'is not a postgres:// URL (percent-encode user and password: ' +
  'write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25)';

// Error messages omit the values of these variables: a URL may contain a password, and a key is a secret.
const redacted: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'WEBHOOKS_PROXY_URL',
]);

const wholeNumber = ({ min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^-?\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `is not between ${min} and ${max}`);

const flag = z.enum(['true', 'false'], 'is neither true nor false').default('false');

const ratePerMinute = (defaultRate: number) => wholeNumber({ min: 0, max: 1_000_000 }).default(defaultRate);

const rateLimitNames = [
  'RATE_LIMIT_READS_PER_MINUTE',
  'RATE_LIMIT_WRITES_PER_MINUTE',
  'RATE_LIMIT_ADMIN_PER_MINUTE',
  'RATE_LIMIT_AUTH_FAILURES_PER_MINUTE',
] as const;

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber({ min: 0, max: 65_535 }).default(8080),
  DATABASE_URL: z.string().refine(isPostgresUrl, notPostgresUrl).optional(),
  DATABASE_OWNER_URL: z.string().refine(isPostgresUrl, notPostgresUrl).optional(),
  DATABASE_REPLICA_URL: z.string().refine(isPostgresUrl, notPostgresUrl).optional(),
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
    .regex(/^rediss?:\/\//, 'is not a redis:// or rediss:// URL')
    .refine((value) => URL.canParse(value), 'is not a redis:// or rediss:// URL')
    .optional(),
  MCP: z.enum(['on', 'off'], 'is neither on nor off').default('on'),
  MCP_ALLOWED_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((origin) => origin.trim()))
    .refine(
      (origins) => origins.every(isOrigin),
      'is not a list of origins such as https://chat.example.com, separated by commas',
    )
    .default([]),
  DRAIN_DELAY_MS: wholeNumber({ min: 0, max: 60_000 }).default(0),
  // 0: idempotency keys are never removed.
  IDEMPOTENCY_RETENTION_DAYS: wholeNumber({ min: 0, max: 36_500 }).default(0),
  WEBHOOKS: z.enum(['on', 'off'], 'is neither on nor off').default('on'),
  WEBHOOKS_ALLOW_HTTP: flag,
  WEBHOOKS_ALLOWED_NETWORKS: z
    .string()
    .refine(isNetworkList, 'is not a list of networks such as 10.0.0.0/8, separated by commas')
    .transform((text) => text.split(',').map((network) => ipaddr.parseCIDR(network.trim())))
    .default([]),
  WEBHOOKS_PROXY_URL: z
    .string()
    .regex(/^https?:\/\//, 'is not an http:// or https:// URL')
    .refine((value) => URL.canParse(value), 'is not an http:// or https:// URL')
    .optional(),
  EVENT_RETENTION_DAYS: wholeNumber({ min: 30, max: 36_500 }).optional(),
});

/**
 * Reads the configuration and the files that it names. An empty variable counts as unset.
 * @param now the current time; a TLS certificate that is not valid at this time causes a warning
 * @throws Error that reports all invalid settings and their values; URLs and keys are redacted
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  defaultDataDir: string,
  now = new Date(),
): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const result = environment.safeParse(present);
  const problems = result.success ? [] : result.error.issues.map((issue) => describeIssue(issue, present));
  const { tls, warnings, problems: tlsProblems } = readTls(present, now);
  problems.push(...tlsProblems);
  // The checks below read the variables from `present`, because `result` has no values if any variable is invalid.
  const { HOST: host, TLS_CERT_FILE: certFile, TRUST_PROXY: hops = '0', ALLOW_INSECURE_HTTP: insecureHttp } = present;
  if (host !== undefined && !isLoopback(host) && certFile === undefined && /^0+$/.test(hops)) {
    if (insecureHttp !== 'true') {
      problems.push(
        `HOST ${host} is not loopback: set TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY behind a proxy, ` +
          'or ALLOW_INSECURE_HTTP=true',
      );
    }
  }
  if (Number(present.CENTAVO_PROCESSES ?? '1') > 1 && present.REDIS_URL === undefined) {
    const enabled = rateLimitNames.filter((name) => !/^0+$/.test(present[name] ?? ''));
    if (enabled.length > 0) {
      problems.push(
        `CENTAVO_PROCESSES is ${JSON.stringify(present.CENTAVO_PROCESSES)}, and each process would count requests separately: ` +
          `set REDIS_URL, or switch these limits off with 0 (${enabled.join(', ')})`,
      );
    }
  }
  if (
    present.DATABASE_REPLICA_URL !== undefined &&
    (present.DATABASE_URL ?? present.DATABASE_OWNER_URL) === undefined
  ) {
    problems.push(
      'DATABASE_REPLICA_URL is set without DATABASE_URL, but the embedded PostgreSQL has no replica: set DATABASE_URL too, or unset DATABASE_REPLICA_URL',
    );
  }
  const external = readExternalIssuer(present);
  problems.push(...external.problems);
  if (!result.success || problems.length > 0) {
    throw new Error(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
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
    mcp: { isOn: values.MCP === 'on', allowedOrigins: values.MCP_ALLOWED_ORIGINS },
    idempotencyRetentionDays: values.IDEMPOTENCY_RETENTION_DAYS === 0 ? null : values.IDEMPOTENCY_RETENTION_DAYS,
    webhooks:
      values.WEBHOOKS === 'off'
        ? null
        : {
            allowsHttp: values.WEBHOOKS_ALLOW_HTTP === 'true',
            networks: values.WEBHOOKS_ALLOWED_NETWORKS,
            proxyUrl: values.WEBHOOKS_PROXY_URL ?? null,
          },
    eventRetentionDays: values.EVENT_RETENTION_DAYS ?? null,
    warnings,
  };
}

/**
 * Returns the default of `databasePoolMax`. It is at most ten with DATABASE_URL. With the embedded PostgreSQL, which runs on the same
 * machine, it is at most twice the number of processors, plus one. This number keeps the processors busy, and more connections would only
 * evict each other's data from the processor caches (decision 0035). If there are many processes, the default is lower, so that all
 * processes together use at most 80 of the 100 connections that PostgreSQL allows by default. The other 20 are left for commands and
 * backups. The limit of 80 holds even while a worker is replaced, when the old and the new worker both run.
 */
function defaultPoolMax(processes: number, databaseUrl: string | undefined): number {
  const busyMax = databaseUrl === undefined ? 2 * availableParallelism() + 1 : 10;
  return Math.max(1, Math.min(busyMax, Math.floor(80 / (processes + 1))));
}

function describeIssue(
  { path, message }: { readonly path: readonly PropertyKey[]; readonly message: string },
  present: Readonly<Record<string, string | undefined>>,
): string {
  const name = path.join('.');
  return redacted.has(name) ? `${name} ${message}` : `${name} is ${JSON.stringify(present[name])}, which ${message}`;
}

/**
 * Returns true if the driver can parse the URL and {@link hasUnencodedPassword} returns false for it. The driver decodes user, password and
 * database name, and fails on a malformed percent-encoding.
 */
function isPostgresUrl(text: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  if (hasUnencodedPassword(url)) return false;
  const { username, password, pathname } = url;
  try {
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns true if the password probably contains `/`, `?` or `#` without percent-encoding. In `postgres://me:12/34@db`, for example, the
 * URL parser reads `me` as the host and `12` as the port, and the `@` before the real host is in the path. In other such URLs, the host is
 * a part of the password, so an error message that names the host would disclose it.
 */
function hasUnencodedPassword({ username, pathname, search, searchParams, hash }: URL): boolean {
  if (hash !== '' || pathname.includes('@')) return true;
  // If the URL has a user before the host, its query must not contain `@`. If the URL has no user there, the value of a query parameter may
  // contain `@`, as in `?user=me@server`, but the name of a parameter must not.
  return username === '' ? [...searchParams.keys()].some((name) => name.includes('@')) : search.includes('@');
}

function isNetworkList(text: string): boolean {
  return text.split(',').every((network) => ipaddr.isValidCIDR(network.trim()));
}

/** Returns true if a string is an origin as browsers send it: scheme, host, and the port unless it is the default port. */
function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}
