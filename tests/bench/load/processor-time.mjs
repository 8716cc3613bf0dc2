// Reads the CPU time of processes from /proc. This module is plain JavaScript, because the client of a round imports
// it without a compiler.
import { readdirSync, readFileSync } from 'node:fs';

/** The length of a tick, the unit of the times in /proc: a hundredth of a second. */
const msPerTick = 10;

/** Returns the CPU time in milliseconds that a server and its PostgreSQL have used so far; null if it is unknown. */
export function readProcessorMs({ server, postgres }) {
  return { server: timesOf(server)?.ownMs ?? null, postgres: processTreeMsOf(postgres) };
}

/** Returns the CPU time between two readings; null for a process if one of its readings is null. */
export function spentBetween(before, after) {
  const spent = (part) => (before[part] === null || after[part] === null ? null : after[part] - before[part]);
  return { server: spent('server'), postgres: spent('postgres') };
}

/** Parses a line of /proc/<pid>/stat. The program's name, in parentheses, may contain spaces and parentheses. */
export function parseProcessTimes(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const msOf = (...positions) => positions.reduce((sum, position) => sum + Number(fields[position]) * msPerTick, 0);
  return { parentPid: Number(fields[1]), ownMs: msOf(11, 12), endedChildrenMs: msOf(13, 14) };
}

/** Returns the CPU time of a process and of its running and ended children. PostgreSQL has a child for each connection. */
function processTreeMsOf(pid) {
  const parent = timesOf(pid);
  if (parent === undefined) return null;
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf);
  const children = others.filter((times) => times?.parentPid === pid);
  return children.reduce((sum, { ownMs }) => sum + ownMs, parent.ownMs + parent.endedChildrenMs);
}

/** Returns the CPU times of a process; undefined if the process has ended, or if the system has no /proc. */
function timesOf(pid) {
  try {
    return parseProcessTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}
