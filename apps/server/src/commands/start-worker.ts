import { composeServer } from '../app.js';
import { linkToSupervisor } from '../cluster/supervisor-channel.js';
import { readConfig } from '../config/env.js';
import { pendingMigrations } from '../database/migrate/migrate.js';
import { nextStopSignal } from './next-stop-signal.js';
import { openLog } from './open-log.js';
import type { CommandPlace } from './with-operator-database.js';

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
