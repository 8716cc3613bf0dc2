import type { Server } from './sandbox.js';
import { until } from './until.js';

/**
 * Finds the processes that serve at a server's address, by their ids in its log, which has to be of level `info`: it asks on
 * one new connection after the other until so many have answered.
 */
export async function workersOf(server: Server, count: number): Promise<readonly number[]> {
  const before = server.output.length;
  const pids = new Set<number>();
  await until(`${count} processes have answered`, async () => {
    await (await fetch(`${server.origin}/health/live`, { headers: { Connection: 'close' } })).arrayBuffer();
    for (const [, pid] of server.output.slice(before).matchAll(/"pid":(\d+)/g)) pids.add(Number(pid));
    return pids.size >= count;
  });
  return [...pids];
}

/** Whether a process with this id runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
