import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import { until } from '../../../acceptance/support/until.js';

/** The resources of a server at one time. */
export interface ServerMeasurement {
  readonly residentBytes: number;
  /** The memory that is still in use after a garbage collection, in the heap of V8 and outside it, in bytes. */
  readonly retainedBytes: number;
  /** The number of open file handles that the operating system reports, without the connections to PostgreSQL. */
  readonly handles: number;
  /** The number of the server's connections, as PostgreSQL reports it. */
  readonly connections: number;
  /** The p99 of the event loop delay since the last measurement. */
  readonly loopDelayMs: number;
}

/** The number of checks within which a garbage collection must be complete. */
const attemptsMax = 500;

/** Counts the open file handles of a process. Linux only. */
export async function countHandles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/**
 * Measures a server from outside: reads its metrics, its handles from the system, and its connections from PostgreSQL. The server
 * must load `collect-garbage.mjs`.
 * @throws Error if a metric is missing, because a missing metric would look like no growth
 */
export async function measureServer(
  { origin, pid }: { readonly origin: string; readonly pid: number },
  owner: pg.ClientBase,
): Promise<ServerMeasurement> {
  const loopDelayMs = parseMetric(await readMetrics(origin), 'nodejs_eventloop_lag_p99_seconds') * 1000;
  const metrics = await collectGarbage({ origin, pid });
  const metric = (name: string) => parseMetric(metrics, name);
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'centavo-server'`,
  );
  const connections = rows[0]?.count ?? 0;
  return {
    residentBytes: metric('process_resident_memory_bytes'),
    retainedBytes: metric('nodejs_heap_size_used_bytes') + metric('nodejs_external_memory_bytes'),
    handles: (await countHandles(pid)) - connections,
    connections,
    loopDelayMs,
  };
}

const readMetrics = async (origin: string) => (await fetch(`${origin}/metrics`)).text();

/** Requests a garbage collection, and waits for it. @returns the metrics after the collection */
async function collectGarbage({ origin, pid }: { readonly origin: string; readonly pid: number }): Promise<string> {
  let metrics = await readMetrics(origin);
  const collectionsIn = (text: string) =>
    Number(/^nodejs_gc_duration_seconds_count\{kind="major"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  const before = collectionsIn(metrics);
  // Node sometimes does not report a collection that was requested during another collection, so each attempt requests a new one.
  const isCollected = async () => {
    process.kill(pid, 'SIGUSR2');
    metrics = await readMetrics(origin);
    return collectionsIn(metrics) > before;
  };
  await until('the server has collected its garbage', isCollected, { attemptsMax });
  return metrics;
}

function parseMetric(metrics: string, name: string): number {
  const [, text] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? [];
  const value = Number(text);
  if (Number.isNaN(value)) throw new Error(`The server does not report ${name}.`);
  return value;
}
