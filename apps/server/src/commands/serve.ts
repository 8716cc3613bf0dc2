import { setTimeout as sleep } from 'node:timers/promises';
import { composeServer } from '../app.js';
import { forkWorker } from '../cluster/fork-worker.js';
import { superviseWorkers } from '../cluster/supervise-workers.js';
import { WorkerMetrics } from '../cluster/worker-metrics.js';
import type { Config } from '../config/env.js';
import { type Demo, openDemo } from './demo.js';
import { openLog } from './open-log.js';

/** The running API, served by this process or by its workers. */
export interface Serving {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** Resolves with a message for the operator if the API is no longer served although `stop` was not called. */
  readonly waitForFailure: () => Promise<string>;
  /** Stops accepting requests after DRAIN_DELAY_MS. Requests in progress then have 20 seconds to finish. */
  readonly stop: () => Promise<void>;
}

/** Serves the API with a migrated database. If the start fails, releases everything that it opened. */
export type Serve = (options: {
  readonly config: Config;
  readonly connectionString: string;
  /** True if users existed before this server accepted registrations. */
  readonly hasUsers: boolean;
}) => Promise<Serving>;

/** Serves in this process. */
export const serveInProcess: Serve = async ({ config, connectionString, hasUsers }) => {
  const logger = openLog({ level: config.logLevel });
  const server = await composeServer({ config, connectionString, logger });
  try {
    const demo = await openDemo({ config, server, hasUsers, logger });
    return { origin: server.origin, demo, waitForFailure: () => new Promise(() => {}), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/**
 * Serves with the configured number of worker processes on one port, and supervises them. SIGHUP replaces them one at a time. The
 * workers get the connection string in their environment, so they do not start or stop the embedded PostgreSQL of this process.
 */
export const serveWithWorkers: Serve = async ({ config, connectionString, hasUsers }) => {
  let replaceAll = () => {};
  // Before the workers serve, SIGHUP has no effect; without a listener it would end this process.
  const onHangUp = () => replaceAll();
  process.on('SIGHUP', onHangUp);
  const metrics = new WorkerMetrics({ sleep: (ms) => sleep(ms, undefined, { ref: false }) });
  const env = {
    DATABASE_URL: connectionString,
    // The workers must not get the value of this variable, which may contain the password of the login that owns the tables.
    DATABASE_OWNER_URL: '',
    // DATABASE_URL is set in every worker, even with the embedded PostgreSQL. Without DATABASE_POOL_MAX, a worker would therefore use the
    // default pool size for an external database.
    DATABASE_POOL_MAX: String(config.databasePoolMax),
  };
  try {
    const demo = await openDemoBeforeWorkers({ config, connectionString, hasUsers });
    const supervision = await superviseWorkers({
      count: config.processes,
      fork: () => forkWorker({ env, metrics }),
      clock: { now: () => performance.now(), sleep: (ms) => sleep(ms) },
      drainDelayMs: config.drainDelayMs,
      report: (line) => void process.stdout.write(`${line}\n`),
      warn: (line) => void process.stderr.write(`${line}\n`),
    });
    replaceAll = () => void supervision.replaceAll();
    return {
      origin: supervision.origin,
      demo,
      waitForFailure: supervision.waitForFailure,
      async stop() {
        replaceAll = () => {};
        await supervision.stop();
      },
    };
  } catch (error) {
    process.off('SIGHUP', onHangUp);
    throw error;
  }
};

/** Creates the demo, if configured, before the workers accept requests. Uses a temporary server on a random loopback port. */
async function openDemoBeforeWorkers(options: Parameters<Serve>[0]): Promise<Demo | undefined> {
  const { config, connectionString, hasUsers } = options;
  if (!config.demo || config.databaseUrl !== null) return undefined;
  const logger = openLog({ level: config.logLevel });
  const local: Config = { ...config, host: '127.0.0.1', port: 0, tls: null, drainDelayMs: 0 };
  const server = await composeServer({ config: local, connectionString, logger });
  try {
    return await openDemo({ config, server, hasUsers, logger });
  } finally {
    await server.stop();
  }
}
