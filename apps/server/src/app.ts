import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { routes } from '@centavo/contracts';
import type { Logger } from 'pino';
import { CredentialUse } from './auth/credentials.js';
import type { Config } from './config/env.js';
import { proveIsolation } from './database/checks/prove-isolation.js';
import { isSharded, pingDatabase } from './database/checks/start-checks.queries.js';
import { startHourlySweeps } from './database/hourly-sweeps.js';
import { createDatabase, type Database } from './database/pool.js';
import { logReplicaChange, openReplica } from './database/replica.js';
import { createGuardedDispatcher, deliverySweeps, startDeliveries } from './deliveries/index.js';
import { createSecretEncryption } from './encryption/secret-encryption.js';
import { createApp } from './http/app.js';
import { drainHttpServer, ResponsesUnderWay } from './http/drain.js';
import { EventWaits } from './http/event-waits.js';
import { createRequestLog, describeFailure } from './http/log.js';
import { createMetrics, type Metric } from './http/metrics.js';
import { type ConnectionLimits, createHttpServer } from './http/server.js';
import { idempotencyKeySweeps } from './idempotency/idempotency.queries.js';
import { KeyedMutex } from './idempotency/keyed-mutex.js';
import { createExternalIdentity } from './identity/external/index.js';
import { addUser, createEmbeddedIdentity, type PasswordHashing } from './identity/index.js';
import { sessionSweeps } from './identity/sessions/session-retention.queries.js';
import { IdSource } from './optimizations/new-id.js';
import { logRedisChange, type OpenLimiter, openLimiter } from './rate-limit/limiter.js';
import { accountsEndpoints } from './resources/accounts/index.js';
import { budgetsEndpoints } from './resources/budgets/index.js';
import { categoriesEndpoints } from './resources/categories/index.js';
import { contextEndpoints } from './resources/context/index.js';
import { createCredentialsEndpoints } from './resources/credentials/index.js';
import { eventSweeps, eventsEndpoints, startNumbering } from './resources/events/index.js';
import { movementsEndpoints } from './resources/movements/index.js';
import { transfersEndpoints } from './resources/transfers/index.js';
import {
  absentWebhooksEndpoints,
  createWebhooksEndpoints,
  encryptWebhookSecrets,
  webhookSecretOwner,
} from './resources/webhooks/index.js';

/** A server that accepts requests. */
export interface RunningServer {
  /** The origin on which the server listens, for example `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Adds a user to the embedded identity provider on behalf of the operator, even if registration is closed. */
  addUser(user: { readonly email: string; readonly password: string; readonly displayName: string }): Promise<void>;
  readOwnMetrics(): Promise<readonly Metric[]>;
  /** Resolves when old rows are removed and the uses of credentials are recorded. Tests wait for this before they count statements. */
  settled(): Promise<void>;
  /**
   * Stops accepting requests after `drainDelayMs`, waits at most 20 seconds for the requests in progress, and closes all connections.
   * @param options.drainDelayMs milliseconds; the default is DRAIN_DELAY_MS
   * @param options.isReplaced true if another process serves the same address; this process then continues to report `ready` until it ends
   */
  stop(options?: { readonly drainDelayMs?: number; readonly isReplaced?: boolean }): Promise<void>;
}

interface ServerOptions {
  readonly config: Config;
  readonly connectionString: string;
  readonly logger: Logger;
  /** The wall clock; tests advance it. */
  readonly now?: () => Date;
  /** A monotonic clock in milliseconds, for rate limits and for the pause after the replica fails; tests advance it. */
  readonly elapsedMs?: () => number;
  /** The password hashing: by default Argon2id with the server's parameters. Tests use cheaper parameters. */
  readonly passwords?: PasswordHashing;
  /** Called with each SQL statement; tests count statements with it. */
  readonly onStatement?: (sql: string) => void;
  /** Overrides the default limits for slow clients; tests set shorter limits. */
  readonly connectionLimits?: Partial<ConnectionLimits>;
  /** If false, no background job assigns numbers to events. Tests disable the job to count only their own statements. */
  readonly numbersEvents?: boolean;
  /** Milliseconds between two queries for webhook deliveries that are due. If null, the server delivers no webhooks. */
  readonly deliveryIntervalMs?: number | null;
  /** Returns the metrics of all processes as text for GET /metrics. Set only if there are several processes. */
  readonly readAllMetrics?: () => Promise<string>;
}

/**
 * Composes the modules on a migrated database, listens, and returns the running server.
 * @throws Error when row-level security is not effective, a stored secret cannot be decrypted, or the port cannot be used
 */
export async function composeServer(options: ServerOptions): Promise<RunningServer> {
  const { elapsedMs = () => performance.now() } = options;
  const database = createDatabase({
    connectionString: options.connectionString,
    poolMax: options.config.databasePoolMax,
    // No pooler is between this process and the embedded PostgreSQL.
    ...(options.config.databaseUrl === null ? { connectsDirectly: true, initialRole: 'centavo_app' } : {}),
    ...(options.onStatement === undefined ? {} : { onStatement: options.onStatement }),
  });
  const limiter = await openLimiter({
    rates: options.config.ratesPerMinute,
    redisUrl: options.config.redisUrl,
    elapsedMs,
    onRedisChange: (change) => logRedisChange(options.logger, change),
  });
  try {
    return await composeOn({ ...options, elapsedMs, database, limiter });
  } catch (error) {
    // After a failed start, open connections would keep the process alive.
    limiter.close();
    await database.close();
    throw error;
  }
}

async function composeOn(
  options: ServerOptions & {
    readonly elapsedMs: () => number;
    readonly database: Database;
    readonly limiter: OpenLimiter;
  },
): Promise<RunningServer> {
  const { database, limiter, config, logger, now = () => new Date() } = options;
  await proveIsolation(database);

  const { externalIssuer } = config;
  const { next: newId } = new IdSource();
  const identity =
    externalIssuer === null
      ? createEmbeddedIdentity({
          database,
          registration: config.registration,
          encryptionKeys: config.encryptionKeys,
          stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
          clock: now,
          randomBytes,
          ...(options.passwords === undefined ? {} : { passwords: options.passwords }),
        })
      : createExternalIdentity({ database, issuer: externalIssuer, clock: now, randomBytes });
  // Loads the signing keys at startup, so that a missing encryption key is reported now and not only at the first login.
  if (identity.jwks !== null) await identity.prepare();
  const encryption = createSecretEncryption(config.encryptionKeys);
  if (config.webhooks !== null) await encryptWebhookSecrets(database, encryption);
  let isDraining = false;
  const responses = new ResponsesUnderWay();
  const eventWaits = new EventWaits();
  const credentialUse = new CredentialUse({ database, now: () => now().getTime() });
  const metrics = createMetrics({ poolUse: () => database.poolUse(), readAll: options.readAllMetrics });
  const replica =
    config.databaseReplicaUrl === null
      ? null
      : openReplica({
          connectionString: config.databaseReplicaUrl,
          poolMax: config.databasePoolMax,
          elapsedMs: options.elapsedMs,
          onRead: metrics.countReplicaRead,
          onChange: (change) => logReplicaChange(logger, change),
          onStatement: options.onStatement,
        });
  const app = createApp({
    endpoints: [
      ...contextEndpoints,
      ...accountsEndpoints,
      ...categoriesEndpoints,
      ...movementsEndpoints,
      ...transfersEndpoints,
      ...budgetsEndpoints,
      ...eventsEndpoints,
      ...(config.webhooks === null
        ? absentWebhooksEndpoints()
        : createWebhooksEndpoints({
            now,
            randomBytes,
            encryption,
            urlPolicy: config.webhooks,
            stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
          })),
      ...createCredentialsEndpoints({
        now,
        randomBytes,
        keyMaxValidityDays: config.keyMaxValidityDays,
      }),
      ...identity.endpoints,
    ],
    server: {
      database,
      replica,
      identity: identity.provider,
      limiter,
      credentialUse,
      isSharded: await isSharded(database),
      keyedMutex: new KeyedMutex(),
      clock: { now: () => performance.now(), sleep: (ms) => sleep(ms), random: Math.random },
      eventWaits,
      newId,
      now,
      stepUpMaxAgeSeconds: config.stepUpMaxAgeSeconds,
      stepUpCalls: new Set(config.integrationClientsRequireStepUp ? [routes.createIntegrationClient.call.name] : []),
    },
    responses,
    proxyHops: config.trustProxyHops,
    health: { isReady: () => pingDatabase(database), isDraining: () => isDraining },
    mcp: config.mcp.isOn
      ? { allowedOrigins: new Set(config.mcp.allowedOrigins), issuer: externalIssuer?.issuer ?? null }
      : null,
    jwks: identity.jwks,
    log: createRequestLog(logger),
    metrics,
  });
  const server = createHttpServer(app, { tls: config.tls, limits: options.connectionLimits });
  await listen(server, config);
  const { numbersEvents = true } = options;
  const numbering = numbersEvents
    ? startNumbering({
        database,
        awaited: eventWaits,
        numbersEveryWrite: config.webhooks !== null,
        onPending: metrics.setUnnumberedEvents,
        onFailure: (error) =>
          logger.warn(
            { reason: describeFailure(error) },
            'Events could not be numbered; the next attempt is within two seconds',
          ),
      })
    : undefined;
  const { deliveryIntervalMs = 250 } = options;
  const deliveries =
    config.webhooks === null || deliveryIntervalMs === null
      ? undefined
      : startDeliveries({
          database,
          dispatcher: createGuardedDispatcher(config.webhooks),
          intervalMs: deliveryIntervalMs,
          decrypt: (stored, endpointId) => encryption.decrypt(stored, webhookSecretOwner(endpointId)),
          nowMs: () => now().getTime(),
          elapsedMs: () => performance.now(),
          random: Math.random,
          newId,
          randomBytes,
          onAttempt: metrics.countWebhookAttempt,
          onLate: metrics.setWebhookLag,
          onFailure: (error) =>
            logger.warn(
              { reason: describeFailure(error) },
              'Webhooks could not be delivered; the next attempt is within half a minute',
            ),
        });
  const sweeps = startHourlySweeps({
    database,
    sweeps: [
      ...idempotencyKeySweeps(config.idempotencyRetentionDays),
      ...eventSweeps(config.eventRetentionDays),
      ...sessionSweeps,
      ...deliverySweeps,
    ],
    onFailure: (what) => logger.error(`${what} could not be removed; the next attempt is in an hour`),
  });

  return {
    origin: originOf(config, server.address() as AddressInfo),
    addUser: (user) => addUser({ database, clock: now }, user),
    readOwnMetrics: metrics.readOwnMetrics,
    async settled() {
      await Promise.all([sweeps.settled(), credentialUse.settled()]);
    },
    async stop({ drainDelayMs = config.drainDelayMs, isReplaced = false } = {}) {
      isDraining = !isReplaced;
      eventWaits.drain();
      await Promise.all([
        drainHttpServer({ server, responses, drainDelayMs, finishMsMax: 20_000 }),
        deliveries?.close(),
      ]);
      limiter.close();
      await credentialUse.settled();
      await numbering?.close();
      await sweeps.close();
      await replica?.close();
      await database.close();
    },
  };
}

/**
 * Listens on the configured host and port.
 * @throws Error that names the setting PORT when the server cannot listen, for example because the port is in use
 */
async function listen(server: Server, { port, host }: Config): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be used (${error.code})`;
      reject(new Error(`Port ${port} of ${host} ${reason}. Set PORT to another port.`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

function originOf(config: Config, address: AddressInfo): string {
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${config.tls === null ? 'http' : 'https'}://${host}:${address.port}`;
}
