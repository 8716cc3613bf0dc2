import cluster from 'node:cluster';
import { type Config, readConfig } from '../config/env.js';
import { requireServingLogin } from '../database/login-faults.queries.js';
import { lookAround } from '../database/look-around.queries.js';
import { nextStopSignal } from './next-stop-signal.js';
import { openDatabase } from './open-database.js';
import { serveByWorkers } from './serve.js';
import { serveAlone } from './serve-alone.js';
import { startRemarks } from './start-remarks.js';
import { startWorkerCommand } from './start-worker.js';
import { welcome } from './startup-messages.js';
import { withDatabase } from './with-database.js';
import type { CommandPlace } from './with-operator-database.js';

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
