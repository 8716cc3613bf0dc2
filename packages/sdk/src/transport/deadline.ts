import { TimeoutError } from '../errors/transport-errors.js';
import type { Clock } from './clock.js';

/** The deadline of one call, and the cancellation of the call by the caller. */
export interface Deadline {
  /** Aborts at the deadline with a TimeoutError, or with the caller's reason when the caller aborts. */
  readonly signal: AbortSignal;
  msLeft(): number;
  /** Removes the timer and the listener. Must be called when the call ends. */
  stop(): void;
}

/**
 * Starts the deadline of a call.
 * @param timeoutMs the maximum time until the last byte of the response, in milliseconds
 */
export function startDeadline(limits: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey: string | null;
}): Deadline {
  const { clock, timeoutMs, signal, idempotencyKey } = limits;
  const startedMs = clock.elapsedMs();
  const controller = new AbortController();
  const message = `No response within ${timeoutMs} ms`;
  const cancelTimer = clock.schedule(timeoutMs, () => controller.abort(new TimeoutError({ message, idempotencyKey })));
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    msLeft: () => startedMs + timeoutMs - clock.elapsedMs(),
    stop() {
      cancelTimer();
      signal?.removeEventListener('abort', abort);
    },
  };
}

/**
 * Waits `delayMs`, or until the signal aborts.
 * @throws the signal's reason
 */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  let cancel = () => {};
  const passed = new Promise<void>((resolve) => {
    cancel = clock.schedule(delayMs, resolve);
  });
  try {
    await untilAborted(passed, signal);
  } finally {
    cancel();
  }
}

/**
 * Returns the result of a promise, or throws the signal's reason if the signal aborts first. A `fetch` or token function
 * that ignores the signal therefore cannot delay a call beyond its deadline.
 */
export async function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
