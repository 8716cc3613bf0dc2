import pino, { type Logger } from 'pino';
import { composeServer, type RunningServer } from '../compose-server.js';
import { type Config, readConfig } from '../config.js';
import { lookAround } from '../database/look-around.queries.js';
import { nextStopSignal } from './next-stop-signal.js';
import { openDatabase } from './open-database.js';
import { type Demo, seedDemo } from './seed-demo.js';
import { startRemarks } from './start-remarks.js';
import { welcome } from './welcome.js';
import { withDatabase } from './with-database.js';
import type { CommandPlace } from './with-operator-database.js';

/**
 * `centavo-server start`: migrates, serves until SIGTERM or SIGINT, finishes what it began and ends. With DEMO=on an
 * embedded database that has no users yet gets demo data first. When an embedded PostgreSQL ends unasked, the server ends
 * too, so that its supervisor starts both.
 * @returns the exit code: 0 after an orderly end, 1 when it could not start or lost its embedded PostgreSQL
 */
export async function startCommand(place: CommandPlace): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  let exitCode = 0;
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const stopSignal = nextStopSignal(process);
    const opened = await openDatabase({ config, migrations: place.migrations, say });
    const { connectionString, close } = opened;
    const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
    try {
      // Before anybody can register: whether the demo is made depends on it.
      const { hasUsers, superuser } = await withDatabase(connectionString, (database) =>
        database.transaction({ readOnly: true }, lookAround),
      );
      const server = await composeServer({ config, connectionString, logger });
      try {
        const demo = await openDemo({ config, server, hasUsers, logger });
        for (const remark of startRemarks({ config, superuser, hasDemo: demo !== undefined })) say(remark);
        say(welcome({ origin: server.origin, demo, config }));
        const loss = await Promise.race([stopSignal.then(() => undefined), opened.untilLost()]);
        if (loss !== undefined) {
          exitCode = 1;
          process.stderr.write(`${loss} The server ends with it; start it again, nothing acknowledged is lost.\n`);
        }
        say('Stopping: finishing the requests under way.');
      } finally {
        await server.stop();
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

/** The demo of an embedded database, where one is asked for; making it is not what the log is for. */
async function openDemo(options: {
  readonly config: Config;
  readonly server: RunningServer;
  readonly hasUsers: boolean;
  readonly logger: Logger;
}): Promise<Demo | undefined> {
  const { config, logger, ...demo } = options;
  if (!config.demo || config.databaseUrl !== null) return undefined;
  logger.level = 'warn';
  try {
    return await seedDemo({ ...demo, dataDir: config.dataDir });
  } finally {
    logger.level = config.logLevel;
  }
}
