import type { Logger } from 'pino';
import type { RunningServer } from '../app.js';
import type { Config } from '../config/env.js';
import { type Demo, seedDemo } from './demo.js';

/** The demo of an embedded database, where one is asked for; making it is not what the log is for. */
export async function openDemo(options: {
  readonly config: Config;
  readonly server: Pick<RunningServer, 'origin' | 'addUser'>;
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
