import { setTimeout as sleep } from 'node:timers/promises';
import { composeServer } from '../app.js';
import { forkWorker } from '../cluster/fork-worker.js';
import { superviseWorkers } from '../cluster/supervise-workers.js';
import { FiguresOfWorkers } from '../cluster/worker-metrics.js';
import type { Config } from '../config/env.js';
import { type Demo, openDemo } from './demo.js';
import { openLog } from './open-log.js';

/** The API being served, by this process or by others that it watches over. */
export interface Serving {
  readonly origin: string;
  readonly demo: Demo | undefined;
  /** Resolves with what to tell the operator when it is not served any more although nobody asked for that. */
  readonly untilLost: () => Promise<string>;
  /** Finishes what was begun, and takes nothing new. */
  readonly stop: () => Promise<void>;
}

/** Begins to serve a migrated database; where that fails nothing is left behind. */
export type Serve = (options: {
  readonly config: Config;
  readonly connectionString: string;
  /** Whether there were users before anybody could register. */
  readonly hasUsers: boolean;
}) => Promise<Serving>;

/** Serves in this process. */
export const serveAlone: Serve = async ({ config, connectionString, hasUsers }) => {
  const logger = openLog({ level: config.logLevel });
  const server = await composeServer({ config, connectionString, logger });
  try {
    const demo = await openDemo({ config, server, hasUsers, logger });
    return { origin: server.origin, demo, untilLost: () => new Promise(() => {}), stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
};

/**
 * Has as many worker processes serve as the configuration says, on one port, and watches over them. SIGHUP replaces them one
 * after the other. They get the address of the database in their environment: to an embedded PostgreSQL of this process they
 * are strangers, who neither start nor end it.
 */
export const serveByWorkers: Serve = async ({ config, connectionString, hasUsers }) => {
  let replaceAll = () => {};
  // Before there is anything to replace it is no reason to end either.
  const onHangUp = () => replaceAll();
  process.on('SIGHUP', onHangUp);
  const figures = new FiguresOfWorkers({ sleep: (ms) => sleep(ms, undefined, { ref: false }) });
  // The owner's password is none of theirs.
  const env = { DATABASE_URL: connectionString, DATABASE_OWNER_URL: '' };
  try {
    const demo = await makeDemo({ config, connectionString, hasUsers });
    const supervision = await superviseWorkers({
      count: config.processes,
      fork: () => forkWorker({ env, figures }),
      pace: { now: () => performance.now(), sleep: (ms) => sleep(ms) },
      drainDelayMs: config.drainDelayMs,
      say: (line) => void process.stdout.write(`${line}\n`),
      warn: (line) => void process.stderr.write(`${line}\n`),
    });
    replaceAll = () => void supervision.replaceAll();
    return {
      origin: supervision.origin,
      demo,
      untilLost: supervision.untilLost,
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

/** Makes the demo, if there is to be one, by a server that nobody else knows of: before the workers, whom anybody can reach. */
async function makeDemo({ config, connectionString, hasUsers }: Parameters<Serve>[0]): Promise<Demo | undefined> {
  if (!config.demo || config.databaseUrl !== null) return undefined;
  const logger = openLog({ level: config.logLevel });
  const hidden: Config = { ...config, host: '127.0.0.1', port: 0, tls: null, drainDelayMs: 0 };
  const server = await composeServer({ config: hidden, connectionString, logger });
  try {
    return await openDemo({ config, server, hasUsers, logger });
  } finally {
    await server.stop();
  }
}
