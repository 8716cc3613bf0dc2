// What processes cost, read from /proc. It is plain JavaScript because the client of a round reads it too, and runs
// without a compiler.
import { readdirSync, readFileSync } from 'node:fs';

/** The unit of /proc, which Linux has fixed for programs. */
const msPerTick = 10;

/** Processor time that a server and its PostgreSQL have used so far. */
export function readProcessorMs({ server, postgres }) {
  return { server: timesOf(server)?.ownMs ?? null, postgres: familyMsOf(postgres) };
}

/** Processor time that was used between two readings. */
export function spentBetween(before, after) {
  const spent = (who) => (before[who] === null || after[who] === null ? null : after[who] - before[who]);
  return { server: spent('server'), postgres: spent('postgres') };
}

/** Reads a line of /proc/<pid>/stat. The program's name, in parentheses, may hold spaces and parentheses itself. */
export function parseProcessTimes(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const msOf = (...positions) => positions.reduce((sum, position) => sum + Number(fields[position]) * msPerTick, 0);
  return { parentPid: Number(fields[1]), ownMs: msOf(11, 12), endedChildrenMs: msOf(13, 14) };
}

/** Of a process with its children, also of those that have ended: a PostgreSQL has a child for each connection. */
function familyMsOf(pid) {
  const head = timesOf(pid);
  if (head === undefined) return null;
  const others = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf);
  const children = others.filter((times) => times?.parentPid === pid);
  return children.reduce((sum, { ownMs }) => sum + ownMs, head.ownMs + head.endedChildrenMs);
}

/** Undefined where there is no such process any more, or no /proc. */
function timesOf(pid) {
  try {
    return parseProcessTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined;
  }
}
