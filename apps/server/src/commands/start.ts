import cluster from 'node:cluster';
import type { EventEmitter } from 'node:events';
import { composeServer } from '../app.js';
import { openSupervisorChannel } from '../cluster/supervisor-channel.js';
import { type Config, readConfig } from '../config/env.js';
import { readStartFacts, requireNoExcessRights } from '../database/checks/start-checks.queries.js';
import { pendingMigrations } from '../database/migrate/migrate.js';
import { type CommandEnvironment, openDatabase, withDatabase } from './open-database.js';
import { openLog } from './open-log.js';
import { serveInProcess, serveWithWorkers } from './serve.js';
import { startupMessage, startupWarnings } from './startup-messages.js';

/**
 * Runs `centavo-server start`: migrates, serves until SIGTERM, SIGINT or a closed terminal, then gives the requests in progress 20 seconds
 * to finish. With DEMO=on, creates demo data if the embedded database has no users. If the embedded PostgreSQL ends unexpectedly, the
 * server ends too, so that a service manager restarts both. With CENTAVO_PROCESSES above 1, workers serve, and this process supervises
 * them. In that case SIGHUP, which a closed terminal sends, replaces the workers and does not stop the server.
 * @returns the exit code: 0 after a clean shutdown, 1 if the start failed, if the embedded PostgreSQL ended, or if no worker serves and
 * none can be started
 */
export async function startCommand(environment: CommandEnvironment): Promise<number> {
  if (cluster.isWorker) return startWorker(environment);
  const print = (line: string) => process.stdout.write(`${line}\n`);
  let exitCode = 0;
  try {
    const config = readConfig(environment.env, environment.defaultDataDir);
    const stopSignal = waitForStopSignal(process, { hangUpStops: config.processes === 1 });
    const opened = await openDatabase({ config, migrations: environment.migrations, report: print });
    const { close } = opened;
    const serve = config.processes === 1 ? serveInProcess : serveWithWorkers;
    try {
      const connectionString = await opened.prepareServingUrl();
      // Reads `hasUsers` before any user can register, because the demo is created only if there are no users.
      const { hasUsers, excessRights } = await withDatabase(connectionString, (database) =>
        database.transaction({ readOnly: true }, (tx) => readStartFacts(tx, replicaLoginOf(config))),
      );
      // With DATABASE_URL alone, the login that serves requests also applies the migrations, so it usually has more rights than requests
      // need. In this case the server prints a warning and starts. With the embedded PostgreSQL or DATABASE_OWNER_URL, it refuses to start
      // if a login that serves requests has more rights than they need.
      if (config.databaseUrl === null || config.databaseOwnerUrl !== null) requireNoExcessRights(excessRights);
      const serving = await serve({ config, connectionString, hasUsers });
      try {
        const { origin, demo, waitForFailure } = serving;
        for (const warning of startupWarnings({ config, excessRights, hasDemo: demo !== undefined })) print(warning);
        print(startupMessage({ origin, demo, hasUsers, config, installation: environment }));
        const failure = await Promise.race([
          stopSignal.then(() => undefined),
          opened.waitForFailure(),
          waitForFailure(),
        ]);
        if (failure !== undefined) {
          exitCode = 1;
          process.stderr.write(`${failure} The server stops. Start it again. No acknowledged write is lost.\n`);
        }
        print('Stopping: finishing the requests in progress.');
      } finally {
        await serving.stop();
      }
    } finally {
      await close();
    }
    return exitCode;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/**
 * Returns the login that reads from the replica, or null without a replica. The rights of this login can be read on the primary, because
 * a replica has the same roles.
 */
function replicaLoginOf({ databaseReplicaUrl }: Config): string | null {
  if (databaseReplicaUrl === null) return null;
  const { username, searchParams } = new URL(databaseReplicaUrl);
  return decodeURIComponent(username) || searchParams.get('user');
}

/**
 * Runs `centavo-server start` in a worker: serves the API with the database that the supervisor has migrated. Stops when the supervisor
 * requests it, or on SIGTERM or SIGINT. The log lines of a worker contain its process ID.
 * @returns the exit code: 0 after a clean shutdown, 1 if the start failed
 */
async function startWorker({ env, defaultDataDir, migrations }: CommandEnvironment): Promise<number> {
  // A closed terminal sends SIGHUP to the whole process group. Workers ignore it; the supervisor decides how to react.
  // After a signal, `server.stop` gets no options, so the drain delay of the configuration applies.
  const stopSignal = waitForStopSignal(process, { hangUpStops: false }).then(() => ({}));
  const supervisor = openSupervisorChannel();
  try {
    const config = readConfig(env, defaultDataDir);
    if (config.databaseUrl === null) throw new Error('DATABASE_URL is missing. A worker does not start a database.');
    await requireMigrated(config.databaseUrl, migrations);
    const logger = openLog({ level: config.logLevel, namesProcess: true });
    const server = await composeServer({
      config,
      connectionString: config.databaseUrl,
      logger,
      readAllMetrics: () => supervisor.readAllMetrics(),
    });
    supervisor.announceServing({ origin: server.origin, readMetrics: server.readOwnMetrics });
    await server.stop(await Promise.race([stopSignal, supervisor.drainRequested]));
    await supervisor.disconnect(await server.readOwnMetrics());
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await supervisor.disconnect();
    return 1;
  }
}

/** Throws if migrations are pending. This happens if the program was upgraded after the supervisor started. */
async function requireMigrated(connectionString: string, directory: string): Promise<void> {
  const pending = await pendingMigrations({ connectionString, directory });
  if (pending.length === 0) return;
  const [noun, them] = pending.length === 1 ? ['migration', 'it'] : ['migrations', 'them'];
  throw new Error(
    `The database lacks the ${noun} ${pending.join(', ')} of this version. Restart the server to apply ${them}.`,
  );
}

/**
 * Resolves with the first stop signal: SIGTERM, SIGINT or, if `hangUpStops` is true, SIGHUP. A second stop signal ends the process at once.
 * @param source the process
 * @param options.hangUpStops true if SIGHUP (the signal of a closed terminal) is a stop signal; otherwise SIGHUP does not end the process
 */
function waitForStopSignal(
  source: EventEmitter & { exit(code: number): void },
  { hangUpStops }: { readonly hangUpStops: boolean },
): Promise<NodeJS.Signals> {
  if (!hangUpStops) source.on('SIGHUP', () => {});
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT', ...(hangUpStops ? (['SIGHUP'] as const) : [])] as const) {
      source.on(signal, () => {
        if (isStopping) source.exit(1);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
