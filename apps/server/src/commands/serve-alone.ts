import { composeServer } from '../app.js';
import { openDemo } from './open-demo.js';
import { openLog } from './open-log.js';
import type { Serve } from './serving.js';

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
