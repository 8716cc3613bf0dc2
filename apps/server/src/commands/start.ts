import cluster from 'node:cluster';
import type { EventEmitter } from 'node:events';
import { composeServer } from '../app.js';
import { linkToSupervisor } from '../cluster/supervisor-channel.js';
import { type Config, readConfig } from '../config/env.js';
import { requireServingLogin } from '../database/login-faults.queries.js';
import { lookAround } from '../database/look-around.queries.js';
import { pendingMigrations } from '../database/migrate/migrate.js';
import { type CommandPlace, openDatabase, withDatabase } from './open-database.js';
import { openLog } from './open-log.js';
import { serveAlone, serveByWorkers } from './serve.js';
import { startRemarks, welcome } from './startup-messages.js';

/**
 * `centavo-server start`: migrates, serves until SIGTERM, SIGINT or a closed terminal, finishes what it began and ends. With DEMO=on an
 * embedded database that has no users yet gets demo data first. When an embedded PostgreSQL ends unasked, the server ends
 * too, so that its supervisor starts both. With CENTAVO_PROCESSES above 1 it is others that serve, and this process watches
 * over them.
 * @returns the exit code: 0 after an orderly end, 1 when it could not start, lost its embedded PostgreSQL or all workers
 */
export async function startCommand(place: CommandPlace): Promise<number> {
  if (cluster.isWorker) return startWorkerCommand(place);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  let exitCode = 0;
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const stopSignal = nextStopSignal(process, { hangUpStops: config.processes === 1 });
    const opened = await openDatabase({ config, migrations: place.migrations, say });
    const { close } = opened;
    const serve = config.processes === 1 ? serveAlone : serveByWorkers;
    try {
      const connectionString = await opened.openServingUrl();
      // Before anyone can register: whether the demo is made depends on it.
      const { hasUsers, loginFaults } = await withDatabase(connectionString, (database) =>
        database.transaction({ readOnly: true }, (tx) => lookAround(tx, replicaLoginOf(config))),
      );
      // One login for everything cannot be without rights; its remarks say so.
      if (config.databaseUrl === null || config.databaseOwnerUrl !== null) requireServingLogin(loginFaults);
      const serving = await serve({ config, connectionString, hasUsers });
      try {
        const { origin, demo, untilLost } = serving;
        for (const remark of startRemarks({ config, loginFaults, hasDemo: demo !== undefined })) say(remark);
        say(welcome({ origin, demo, hasUsers, config }));
        const loss = await Promise.race([stopSignal.then(() => undefined), opened.untilLost(), untilLost()]);
        if (loss !== undefined) {
          exitCode = 1;
          process.stderr.write(`${loss} The server ends with it; start it again, nothing acknowledged is lost.\n`);
        }
        say('Stopping: finishing the requests under way.');
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

/** The login that reads from the replica, whose roles are those of the primary. */
function replicaLoginOf({ databaseReplicaUrl }: Config): string | null {
  if (databaseReplicaUrl === null) return null;
  const { username, searchParams } = new URL(databaseReplicaUrl);
  return decodeURIComponent(username) || searchParams.get('user');
}

/**
 * What `centavo-server start` does in a worker: serves the database that its supervisor has opened and migrated, until that
 * asks it to end or a SIGTERM does. Its lines of the log name its process.
 * @returns the exit code: 0 after an orderly end, 1 when it could not start
 */
export async function startWorkerCommand({ env, defaultDataDir, migrations }: CommandPlace): Promise<number> {
  // A terminal that goes away tells the whole group of processes; what to do about it is the supervisor's affair.
  const stopSignal = nextStopSignal(process, { hangUpStops: false }).then(() => ({}));
  const supervisor = linkToSupervisor();
  try {
    const config = readConfig(env, defaultDataDir);
    if (config.databaseUrl === null) throw new Error('DATABASE_URL is missing: a worker opens no database of its own.');
    await requireMigrated(config.databaseUrl, migrations);
    const logger = openLog({ level: config.logLevel, namesProcess: true });
    const server = await composeServer({
      config,
      connectionString: config.databaseUrl,
      logger,
      tellAllFigures: () => supervisor.tellAllFigures(),
    });
    supervisor.serve(server);
    await server.stop(await Promise.race([stopSignal, supervisor.drainAsked]));
    await supervisor.leave(await server.ownFigures());
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    await supervisor.leave();
    return 1;
  }
}

/** The program may have been renewed since its supervisor was started, and must not serve tables that it does not expect. */
async function requireMigrated(connectionString: string, directory: string): Promise<void> {
  const pending = await pendingMigrations({ connectionString, directory });
  if (pending.length === 0) return;
  throw new Error(`The database lacks ${pending.join(', ')} of this version: restart the server, which applies them.`);
}

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP, which a terminal sends that is closed; a second one ends the process at
 * once, for who cannot wait.
 * @param source the process, or what stands for it in a test
 * @param options.hangUpStops whether SIGHUP is one of them; otherwise it is left to others, and ends nothing
 */
export function nextStopSignal(
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
