import type { Database, Transactions } from '../database/pool.js';
import type { AttemptOutcome } from './decide-attempt.js';
import { type DueDelivery, leaseEndpoints, workerTransaction } from './deliveries.queries.js';
import { type DeliveryEnvironment, serveEndpoint } from './serve-endpoint.js';

/** The maximum number of endpoints that a process serves at the same time. */
const endpointsMax = 10;
/** The maximum number of concurrent transactions of the worker. Requests can use the other connections of the pool. */
const transactionsMax = 2;

/** A worker that delivers events until it is closed. */
export interface DeliveryWorker {
  /** Prevents new attempts. Resolves when the attempts in progress have ended and their results are recorded. */
  close(): Promise<void>;
}

/**
 * Delivers events to all due endpoints. Several processes may run this worker, because only one process at a time holds the lease of an
 * endpoint. After a crash, another process takes over when the lease ends, after at most 30 seconds.
 * @param options.intervalMs the interval between two queries for endpoints that are due
 * @param options.onFailure called when the database or the decryption of a secret failed. The worker tries again after the interval or, for
 *   an endpoint that it has leased, when the lease has ended
 * @param options.onLate called after each query for due endpoints. `seconds` is the longest time for which an endpoint was already due when
 *   the query leased it; 0 if the query leased no endpoint
 * @source decision 0050
 */
export function startDeliveries(
  options: Omit<DeliveryEnvironment, 'isClosing' | 'database' | 'onAttempt'> & {
    readonly database: Database;
    readonly intervalMs: number;
    readonly onAttempt: (outcome: AttemptOutcome, delivery: DueDelivery) => void;
    readonly onLate: (seconds: number) => void;
    readonly onFailure: (error: unknown) => void;
  },
): DeliveryWorker {
  const worker = options.newId();
  const serving = new Set<Promise<void>>();
  let isClosing = false;
  let leasing: Promise<void> | undefined;
  /** True if more endpoints may be due than were leased. */
  let moreMayBeDue = false;
  const environment: DeliveryEnvironment = {
    ...options,
    database: limitTransactions(options.database, transactionsMax),
    isClosing: () => isClosing,
  };

  async function leaseAndServe(): Promise<void> {
    const max = endpointsMax - serving.size;
    moreMayBeDue = false;
    const leases = await workerTransaction(environment.database, (tx) => leaseEndpoints(tx, { worker, max }));
    options.onLate(Math.max(0, ...leases.map(({ lateSeconds }) => lateSeconds)));
    moreMayBeDue = leases.length === max;
    for (const lease of leases) {
      const served: Promise<void> = serveEndpoint(environment, lease)
        .catch(options.onFailure)
        .finally(() => {
          serving.delete(served);
          if (moreMayBeDue) poll();
        });
      serving.add(served);
    }
  }

  function poll(): void {
    if (isClosing || serving.size >= endpointsMax) return;
    leasing ??= leaseAndServe()
      .catch(options.onFailure)
      .finally(() => {
        leasing = undefined;
        if (moreMayBeDue) poll();
      });
  }

  const timer = setInterval(poll, options.intervalMs);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await leasing;
      await Promise.all(serving);
      await options.dispatcher.close();
    },
  };
}

/** Returns an object that runs at most `max` transactions of the database at the same time. */
function limitTransactions(database: Transactions, max: number): Transactions {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async transaction(options, work) {
      if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
      else running += 1;
      try {
        return await database.transaction(options, work);
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
