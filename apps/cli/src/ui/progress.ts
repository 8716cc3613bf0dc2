import type { Clock, OutputStream, Io } from '../io.js';

/** Progress of long work: `advance` for each piece done, `clear` before anything else is written. */
export interface Progress {
  advance(): void;
  clear(): void;
}

/** Whether a bar can be drawn over itself: not in a file or pipe, which would fill with bars, nor where `TERM` is dumb. */
export function canDrawProgress({ stderr, env }: Pick<Io, 'stderr' | 'env'>): boolean {
  return stderr.isTTY === true && env.TERM !== 'dumb';
}

/**
 * A progress bar with rate and remaining time, drawn over itself on stderr; it does nothing where that cannot be, or
 * quiet was asked for.
 *
 * @param total pieces of work in all
 */
export function startProgress(options: {
  stderr: OutputStream;
  clock: Clock;
  env: Io['env'];
  total: number;
  isHidden: boolean;
}): Progress {
  const { stderr, clock, total } = options;
  if (options.isHidden || !canDrawProgress(options) || total === 0) return { advance: () => {}, clear: () => {} };
  const startedMs = clock.nowMs();
  let done = 0;
  let drawnMs = Number.NEGATIVE_INFINITY;
  return {
    advance: () => {
      done += 1;
      const nowMs = clock.nowMs();
      if (nowMs - drawnMs < redrawEveryMs && done < total) return;
      drawnMs = nowMs;
      // A terminal that does not know its size says 0.
      const line = renderProgress({ done, total, elapsedMs: nowMs - startedMs, width: stderr.columns || 80 });
      stderr.write(`\r\u001b[K${line}`);
    },
    clear: () => stderr.write('\r\u001b[K'),
  };
}

/** One line: `[#####-----] 404/808  210/s  2 s left`, never wider than the terminal. */
export function renderProgress(state: { done: number; total: number; elapsedMs: number; width: number }): string {
  const { done, total, elapsedMs, width } = state;
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  const rate = perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1);
  const leftSeconds = perSecond > 0 ? Math.ceil((total - done) / perSecond) : 0;
  const text = `${done}/${total}  ${rate}/s  ${describeSeconds(leftSeconds)} left`;
  const barWidth = Math.min(30, width - text.length - 5);
  if (barWidth < 5) return text.slice(0, Math.max(0, width - 1));
  const filled = Math.min(barWidth, Math.floor((done / total) * barWidth));
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]  ${text}`;
}

const redrawEveryMs = 100;

function describeSeconds(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
