import type { Server } from './sandbox.js';
import { until } from './until.js';

/**
 * Returns the ids of the worker processes of a server. Sends requests over new connections until `count` processes have
 * responded, and reads their ids from the log, which must have the level `info`.
 */
export async function findWorkers(server: Server, count: number): Promise<readonly number[]> {
  const before = server.output.length;
  const pids = new Set<number>();
  await until(`${count} processes have answered`, async () => {
    await (await fetch(`${server.origin}/health/live`, { headers: { Connection: 'close' } })).arrayBuffer();
    for (const [, pid] of server.output.slice(before).matchAll(/"pid":(\d+)/g)) pids.add(Number(pid));
    return pids.size >= count;
  });
  return [...pids];
}

/** Returns whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
