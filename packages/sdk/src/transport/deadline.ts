import { TimeoutError } from '../errors/transport-errors.js';
import type { Clock } from './clock.js';

/** The end of one logical call, whether its time is over or its caller gives up. */
export interface Deadline {
  /** Aborted by either; its reason is a TimeoutError or the caller's own. */
  readonly signal: AbortSignal;
  msLeft(): number;
  /** Gives back the timer and the listener; to be called once the call has ended. */
  close(): void;
}

/** Starts the time of a call. `timeoutMs` in milliseconds, for everything until the answer's last byte. */
export function openDeadline(limits: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | null;
}): Deadline {
  const { clock, timeoutMs, signal, idempotencyKey } = limits;
  const startedMs = clock.elapsedMs();
  const controller = new AbortController();
  const message = `No answer within ${timeoutMs} ms`;
  const cancelTimer = clock.schedule(timeoutMs, () => controller.abort(new TimeoutError({ message, idempotencyKey })));
  const giveUp = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  return {
    signal: controller.signal,
    msLeft: () => startedMs + timeoutMs - clock.elapsedMs(),
    close() {
      cancelTimer();
      signal?.removeEventListener('abort', giveUp);
    },
  };
}
