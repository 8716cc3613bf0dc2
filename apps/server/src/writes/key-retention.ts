import type { Database } from '../database/database.js';
import { forgetOldKeys } from './forget-old-keys.queries.js';

const intervalMs = 3_600_000;

/** A watch over the age of idempotency keys, to be ended with the server. */
export interface KeyRetention {
  close(): Promise<void>;
}

/**
 * Removes old idempotency keys now and every hour, where the operator has set a retention; otherwise keys stay for ever.
 * @param options.onFailure told what went wrong; the next hour tries again
 */
export function startKeyRetention(options: {
  readonly database: Database;
  readonly retentionDays: number | null;
  readonly onFailure: (error: unknown) => void;
}): KeyRetention {
  const { database, retentionDays } = options;
  if (retentionDays === null) return { close: () => Promise.resolve() };
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = running.then(() => forgetOldKeys(database, retentionDays)).catch(options.onFailure);
  };
  run();
  const timer = setInterval(run, intervalMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
