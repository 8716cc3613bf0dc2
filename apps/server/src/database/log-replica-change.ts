import type { Logger } from 'pino';

/** Logs that reads are no longer answered by the replica, or are again; once each time, however many requests notice. */
export function logReplicaChange(logger: Logger, change: { readonly isAway: boolean; readonly error: unknown }): void {
  if (!change.isAway) {
    logger.info('The replica answers again.');
    return;
  }
  // Not the error's message: it may quote the address, which may hold a password.
  const { name, code } = change.error as { readonly name?: unknown; readonly code?: unknown };
  logger.warn({ name, code }, 'The replica does not answer: the primary answers all reads until it does.');
}
