import type { Clock, Io, OutputStream } from '../io.js';

/** A progress bar: call `advance` after each item, `clear` before other output. */
export interface Progress {
  advance(): void;
  clear(): void;
}

/** Returns whether stderr can redraw a line. A file, a pipe and a terminal with `TERM=dumb` cannot. */
export function canDrawProgress({ stderr, env }: Pick<Io, 'stderr' | 'env'>): boolean {
  return stderr.isTTY === true && env.TERM !== 'dumb';
}

/**
 * Starts a progress bar with rate and remaining time on stderr. Draws nothing if stderr cannot redraw a line or
 * `isHidden` is set.
 *
 * @param options.total the number of items
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
      // A terminal of unknown size reports 0 columns.
      const line = renderProgress({ done, total, elapsedMs: nowMs - startedMs, width: stderr.columns || 80 });
      stderr.write(`\r\u001b[K${line}`);
    },
    clear: () => stderr.write('\r\u001b[K'),
  };
}

/** Returns one line such as `[#####-----]  404/808  210/s  2 s left`, at most `width` columns. */
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
