import { cpus, loadavg, totalmem } from 'node:os';

/** Returns a description of this machine and its current load, so that readers can compare results. */
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
