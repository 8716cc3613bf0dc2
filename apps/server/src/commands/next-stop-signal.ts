import type { EventEmitter } from 'node:events';

/**
 * Resolves with the first SIGTERM or SIGINT; a second one ends the process at once, for who cannot wait.
 * @param source the process, or what stands for it in a test
 */
export function nextStopSignal(source: EventEmitter & { exit(code: number): void }): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      source.on(signal, () => {
        if (isStopping) source.exit(1);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
