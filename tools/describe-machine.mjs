import { cpus, loadavg, totalmem } from 'node:os';

/** Returns the machine of a run and its load at the start, which results need for comparison. */
export function describeMachine() {
  return {
    processor: cpus()[0]?.model.trim() ?? 'an unknown processor',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    load: process.platform === 'win32' ? null : loadavg()[0],
  };
}
