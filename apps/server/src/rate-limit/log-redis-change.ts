import type { Logger } from 'pino';

/** Logs that the rate limits are no longer shared, or are again; once each time, however many requests notice. */
export function logRedisChange(logger: Logger, change: { readonly isAway: boolean; readonly error: unknown }): void {
  if (!change.isAway) {
    logger.info('Redis answers again: rate limits are shared between processes.');
    return;
  }
  // Not the error's message: it may quote the address, which may hold a password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'Redis does not answer: rate limits count in this process alone until it does.');
}
