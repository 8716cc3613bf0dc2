import type { EventEmitter } from 'node:events';

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP, which a terminal sends that is closed; a second one ends the process at
 * once, for who cannot wait.
 * @param source the process, or what stands for it in a test
 * @param options.hangUpStops whether SIGHUP is one of them; otherwise it is left to others, and ends nothing
 */
export function nextStopSignal(
  source: EventEmitter & { exit(code: number): void },
  { hangUpStops }: { readonly hangUpStops: boolean },
): Promise<NodeJS.Signals> {
  if (!hangUpStops) source.on('SIGHUP', () => {});
  return new Promise((resolve) => {
    let isStopping = false;
    for (const signal of ['SIGTERM', 'SIGINT', ...(hangUpStops ? (['SIGHUP'] as const) : [])] as const) {
      source.on(signal, () => {
        if (isStopping) source.exit(1);
        isStopping = true;
        resolve(signal);
      });
    }
  });
}
