import type { NextFunction, Request, Response, Router } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUse } from '../database/pool.js';
import type { ReplicaOutcome } from '../database/replica.js';
import { routeTemplate } from './log.js';
import { sendBytes } from './response.js';
import { readOnlyRouter } from './routes/read-only.js';
import { countUnread } from './stalled-connections.js';

/** The metrics of requests, process, pool, replica, events and webhooks. */
export interface Metrics {
  readonly measure: (request: Request, response: Response, next: NextFunction) => void;
  readonly router: Router;
  readonly countReplicaRead: (outcome: ReplicaOutcome) => void;
  /** Counts an attempt to deliver a webhook. `error` is null after a success. */
  readonly countWebhookAttempt: (outcome: { readonly error: string | null }) => void;
  /**
   * Sets the webhook lag. The delivery worker calls this after each query for due webhook endpoints. `seconds` is the longest time for which
   * one of the returned endpoints was already due, or 0 if the query returned none.
   */
  readonly setWebhookLag: (seconds: number) => void;
  readonly setUnnumberedEvents: (count: number) => void;
  /** Returns the metrics of this process; the supervisor aggregates the metrics of all processes. */
  readonly readOwnMetrics: () => Promise<readonly Metric[]>;
}

/** One metric of a process with all its values, in prom-client's form. */
export interface Metric {
  readonly name: string;
  /** `counter`, `gauge`, `histogram` or `summary`. */
  readonly type: unknown;
}

/** The HTTP methods that metrics and trace spans name. Node accepts about thirty methods; those outside this set share one name. */
export const namedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Creates the metrics, and the router of GET /metrics, which returns them in the format of Prometheus. The labels of requests are the
 * route's template, the method and the status. Labels never contain an id, a user or a tracker, for two reasons: GET /metrics needs no
 * credential, and each id would create another time series.
 * @param parts.poolUse returns the current state of the database pool
 * @param parts.readAll returns the metrics of all processes if there are several, because a scrape reaches only one of them
 */
export function createMetrics(parts: {
  readonly poolUse: () => PoolUse;
  readonly readAll?: (() => Promise<string>) | undefined;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'centavo_http_requests_total',
    help: 'Requests by route template, method and status; "aborted" if the connection was closed before the response.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'centavo_http_request_duration_seconds',
    help: 'Time from the headers of a request to the end of its response.',
    labelNames: ['route', 'method'],
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10],
    registers: [registry],
  });
  const underWay = new Gauge({
    name: 'centavo_http_requests_under_way',
    help: 'Requests in progress.',
    registers: [registry],
  });
  const replicaReads = new Counter({
    name: 'centavo_replica_reads_total',
    help: 'Reads that may run on the replica, by outcome; the primary ran all except "answered".',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const unnumbered = new Gauge({
    name: 'centavo_events_unnumbered',
    help: 'Committed events of the database that had no number after the last run of the numbering job.',
    // Every process counts the events of the same database, so a sum would be too high.
    aggregator: 'max',
    registers: [registry],
  });
  const webhookAttempts = new Counter({
    name: 'centavo_webhook_attempts_total',
    help: 'Attempts to deliver a webhook by outcome: "succeeded", or the reason of the failure.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const webhookLag = new Gauge({
    name: 'centavo_webhook_lag_seconds',
    help: 'Longest delay in seconds of the webhook endpoints that the last query for due endpoints returned.',
    aggregator: 'max',
    registers: [registry],
  });
  new Gauge({
    name: 'centavo_database_connections',
    help: 'Connections of the pool by state, and transactions that wait for a connection.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(parts.poolUse())) this.set({ state }, count);
    },
  });

  const router = readOnlyRouter({
    '/metrics': async (_request: Request, response: Response) => {
      const text = Buffer.from(await (parts.readAll?.() ?? registry.metrics()));
      response.setHeader('Cache-Control', 'no-store, no-transform');
      response.setHeader('Content-Type', registry.contentType);
      response.setHeader('Content-Length', text.length);
      countUnread(response, text.length);
      sendBytes(response, text);
    },
  });

  return {
    router,
    readOwnMetrics: () => registry.getMetricsAsJSON(),
    countReplicaRead: (outcome) => replicaReads.inc({ outcome }),
    countWebhookAttempt: ({ error }) => webhookAttempts.inc({ outcome: error ?? 'succeeded' }),
    setWebhookLag: (seconds) => webhookLag.set(seconds),
    setUnnumberedEvents: (count) => unnumbered.set(count),
    measure(request, response, next) {
      const startedAt = performance.now();
      underWay.inc();
      response.on('close', () => {
        underWay.dec();
        const labels = { route: routeTemplate(request, response), method: methodOf(request) };
        requests.inc({ ...labels, status: response.headersSent ? String(response.statusCode) : 'aborted' });
        durations.observe(labels, (performance.now() - startedAt) / 1000);
      });
      next();
    },
  };
}

/** Returns the method as a label. All methods that are not in {@link namedMethods} share one series. */
function methodOf({ method }: Request): string {
  return namedMethods.has(method) ? method : 'other';
}
