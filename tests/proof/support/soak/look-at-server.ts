import { readdir } from 'node:fs/promises';
import type pg from 'pg';
import { until } from '../../../acceptance/support/until.js';

/** What a server holds at a moment. */
export interface Look {
  readonly residentBytes: number;
  /** What its code holds on to, in and beside its heap: what was left when all garbage was collected. */
  readonly keptBytes: number;
  /** Open file handles, by the operating system, without those of the pool: how many of these there are is up to the pool. */
  readonly handles: number;
  /** Connections of the server, by PostgreSQL. */
  readonly connections: number;
  /** The p99 of what the event loop was late, since the last look. */
  readonly loopDelayMs: number;
}

/** For a server to collect its garbage. */
const attemptsMax = 500;

/** Counts the open file handles of a process of this machine; Linux only. */
export async function countHandles(pid: number): Promise<number> {
  return (await readdir(`/proc/${pid}/fd`)).length;
}

/**
 * Looks at a server from without: at its own metrics, the system's list of its handles, PostgreSQL's list of its connections.
 * It must have been started with `collect-garbage.mjs`.
 * @throws Error when it does not tell a figure: without it nothing would ever seem to grow
 */
export async function lookAtServer(
  { origin, pid }: { readonly origin: string; readonly pid: number },
  owner: pg.ClientBase,
): Promise<Look> {
  const loopDelayMs = figureOf(await readMetrics(origin), 'nodejs_eventloop_lag_p99_seconds') * 1000;
  const metrics = await collectGarbage({ origin, pid });
  const figure = (name: string) => figureOf(metrics, name);
  const { rows } = await owner.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'centavo-server'`,
  );
  const connections = rows[0]?.count ?? 0;
  return {
    residentBytes: figure('process_resident_memory_bytes'),
    keptBytes: figure('nodejs_heap_size_used_bytes') + figure('nodejs_external_memory_bytes'),
    handles: (await countHandles(pid)) - connections,
    connections,
    loopDelayMs,
  };
}

const readMetrics = async (origin: string) => (await fetch(`${origin}/metrics`)).text();

/** @returns the metrics after the collection */
async function collectGarbage({ origin, pid }: { readonly origin: string; readonly pid: number }): Promise<string> {
  let metrics = await readMetrics(origin);
  const collectionsIn = (text: string) =>
    Number(/^nodejs_gc_duration_seconds_count\{kind="major"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  const before = collectionsIn(metrics);
  // Of a collection that meets another one Node sometimes tells nothing, so it is asked for again.
  const isCollected = async () => {
    process.kill(pid, 'SIGUSR2');
    metrics = await readMetrics(origin);
    return collectionsIn(metrics) > before;
  };
  await until('the server has collected its garbage', isCollected, { attemptsMax });
  return metrics;
}

function figureOf(metrics: string, name: string): number {
  const [, text] = new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics) ?? [];
  const figure = Number(text);
  if (Number.isNaN(figure)) throw new Error(`The server does not tell ${name}.`);
  return figure;
}
