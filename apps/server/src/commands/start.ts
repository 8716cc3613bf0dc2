import pino, { type Logger } from 'pino';
import { composeServer } from '../compose-server.js';
import { type Config, readConfig } from '../config.js';
import { nextStopSignal } from './next-stop-signal.js';
import { openDatabase } from './open-database.js';
import { type Demo, seedDemo } from './seed-demo.js';
import { welcome } from './welcome.js';
import type { CommandPlace } from './with-operator-database.js';

/**
 * `centavo-server start`: migrates, serves until SIGTERM or SIGINT, finishes what it began and ends. With DEMO=on a new
 * embedded database gets demo data first.
 * @returns the exit code: 0 after an orderly end, 1 when it could not start
 */
export async function startCommand(place: CommandPlace): Promise<number> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  try {
    const config = readConfig(place.env, place.defaultDataDir);
    const stopSignal = nextStopSignal(process);
    const database = await openDatabase({ config, migrations: place.migrations, say });
    const logger = pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
    try {
      const server = await composeServer({ config, connectionString: database.connectionString, logger });
      try {
        const demo = await openDemo({ config, origin: server.origin, isNew: database.isNew, logger });
        if (config.demo && demo === undefined) {
          say('DEMO=on is left aside: it fills a new embedded database only. Delete DATA_DIR to begin anew.');
        }
        say(welcome({ origin: server.origin, demo }));
        await stopSignal;
        say('Stopping: finishing the requests under way.');
      } finally {
        await server.stop();
      }
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

/** The demo of an embedded database, where one is asked for; making it is not what the log is for. */
async function openDemo(options: {
  readonly config: Config;
  readonly origin: string;
  readonly isNew: boolean;
  readonly logger: Logger;
}): Promise<Demo | undefined> {
  const { config, origin, isNew, logger } = options;
  if (!config.demo || config.databaseUrl !== null) return undefined;
  logger.level = 'warn';
  try {
    return await seedDemo({ origin, dataDir: config.dataDir, isNew });
  } finally {
    logger.level = config.logLevel;
  }
}
