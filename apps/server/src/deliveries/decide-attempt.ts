import type { webhookDisabledReasons, webhookErrors, webhookStatuses } from '@centavo/contracts';

type Reason = (typeof webhookDisabledReasons)[number];

/** The result of one attempt to deliver an event. The server stores nothing else from the response. */
export interface AttemptOutcome {
  /** Null if there was no response. */
  readonly status: number | null;
  /** Null after a success. */
  readonly error: (typeof webhookErrors)[number] | null;
  /** The wait in milliseconds that `Retry-After` requests; null if the header is absent or malformed. */
  readonly retryAfterMs: number | null;
}

/** The fields of an endpoint that determine its next attempts. Times are milliseconds since 1970. */
export interface EndpointState {
  readonly status: (typeof webhookStatuses)[number];
  readonly disabledReason: Reason | null;
  /**
   * The number of failed attempts since the last success, activation or change of the URL. At five, the endpoint is failing. Attempts that
   * were already in progress at that moment do not increase this number.
   */
  readonly failureCount: number;
  /** The time of the first failure since the last success, activation or change of the URL; null if there was none. */
  readonly firstFailureAtMs: number | null;
  /** The time of the next attempt if the endpoint is failing, otherwise null. */
  readonly retryAtMs: number | null;
  /** True after status 429, 502 or 504, until a success, an activation or a change of the URL. */
  readonly isThrottled: boolean;
  readonly lastSuccessAtMs: number | null;
  readonly activeSinceMs: number;
}

/** The state of a delivery after an attempt. */
export interface DeliveryState {
  readonly status: 'pending' | 'succeeded' | 'failed';
  /** The number of attempts that began while the endpoint was not failing. Only these count towards the ten attempts of an event. */
  readonly countedAttempts: number;
  readonly nextAttemptAtMs: number | null;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * The pauses between the ten attempts of an event: 75.6 hours in all.
 * @source docs/webhooks.md, "If deliveries fail"
 */
export const pausesMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
];
const attemptsMax = pausesMs.length + 1;
const failuresToFailing = 5;
const failingPauseMsMax = hourMs;
const retryAfterMsMax = 24 * hourMs;
const withoutSuccessMsMax = 5 * dayMs;
const firstFailureAgeMsMin = 12 * hourMs;
const throttlingStatuses: ReadonlySet<number | null> = new Set([429, 502, 504]);

/** Returns whether an endpoint is failing. A failing endpoint gets only one delivery at a time. */
export function isFailing({ failureCount }: Pick<EndpointState, 'failureCount'>): boolean {
  return failureCount >= failuresToFailing;
}

/** Returns the maximum number of concurrent attempts at an endpoint. */
export function decideSlots(
  endpoint: Pick<EndpointState, 'failureCount' | 'isThrottled'> & { readonly maxInFlight: number },
): number {
  return isFailing(endpoint) || endpoint.isThrottled ? 1 : endpoint.maxInFlight;
}

/**
 * Decides the state of an endpoint and a delivery after an attempt. Pure.
 * @param attempt.countedAttempts the number of earlier attempts that count towards the ten attempts of the event
 * @param attempt.wasFailing true if the attempt began while the endpoint was failing; such an attempt does not count towards the ten
 * @param attempt.random a random number from 0 to 1, for the jitter
 * @source docs/webhooks.md, "If deliveries fail"
 */
export function decideAttempt(
  before: EndpointState,
  attempt: {
    readonly outcome: AttemptOutcome;
    readonly countedAttempts: number;
    readonly wasFailing: boolean;
    readonly nowMs: number;
    readonly random: number;
  },
): { readonly endpoint: EndpointState; readonly delivery: DeliveryState } {
  const { outcome, nowMs, wasFailing } = attempt;
  const countedAttempts = attempt.countedAttempts + (wasFailing ? 0 : 1);
  if (outcome.error === null) {
    return {
      endpoint: {
        ...before,
        failureCount: 0,
        firstFailureAtMs: null,
        retryAtMs: null,
        isThrottled: false,
        lastSuccessAtMs: nowMs,
      },
      delivery: { status: 'succeeded', countedAttempts, nextAttemptAtMs: null },
    };
  }
  // A late attempt is an attempt that began before the endpoint was failing, and ended while it was failing. It does not increase
  // `failureCount`. It can delay the next attempt of the endpoint, but only by the `Retry-After` of its response.
  const isLate = isFailing(before) && !wasFailing;
  const failureCount = before.failureCount + (isLate ? 0 : 1);
  const jitter = 0.9 + 0.2 * attempt.random;
  const earliestAtMs = nowMs + requestedWaitMs(outcome);
  const pauseMs = (index: number) => pausesMs[Math.min(Math.max(index, 0), pausesMs.length - 1)] ?? 0;
  const isNowFailing = failureCount >= failuresToFailing;
  // A probe is an attempt at a failing endpoint. Each failed probe moves to the next pause of the schedule, although it does not count.
  const probePauseMs = Math.min(
    pauseMs(countedAttempts - 1 + failureCount - failuresToFailing),
    // The pause is at most an hour, jitter included.
    failingPauseMsMax / 1.1,
  );
  const nextProbeAtMs = isLate ? (before.retryAtMs ?? nowMs) : nowMs + probePauseMs * jitter;
  const endpoint: EndpointState = {
    ...before,
    failureCount,
    firstFailureAtMs: before.firstFailureAtMs ?? nowMs,
    retryAtMs: isNowFailing ? Math.max(nextProbeAtMs, earliestAtMs) : null,
    isThrottled: before.isThrottled || throttlingStatuses.has(outcome.status),
  };
  const isLast = !wasFailing && countedAttempts >= attemptsMax;
  return {
    endpoint: disable(endpoint, { isGone: outcome.status === 410, nowMs }),
    delivery: isLast
      ? { status: 'failed', countedAttempts, nextAttemptAtMs: null }
      : {
          status: 'pending',
          countedAttempts,
          nextAttemptAtMs: Math.max(nowMs + pauseMs(countedAttempts - 1) * jitter, earliestAtMs),
        },
  };
}

/** Returns the wait in milliseconds that `Retry-After` requests; 0 if the header is absent, malformed or requests more than 24 hours. */
function requestedWaitMs({ retryAfterMs }: AttemptOutcome): number {
  return retryAfterMs === null || retryAfterMs > retryAfterMsMax ? 0 : retryAfterMs;
}

/**
 * Returns the given state of an endpoint, or a copy with the status `disabled`. An active endpoint is disabled after status 410. An active
 * endpoint that is failing is also disabled if both of these are true: it has had no success and no activation for five days, and
 * `firstFailureAtMs` is at least twelve hours ago.
 */
function disable(
  endpoint: EndpointState,
  { isGone, nowMs }: { readonly isGone: boolean; readonly nowMs: number },
): EndpointState {
  if (endpoint.status !== 'active') return endpoint;
  if (isGone) return { ...endpoint, status: 'disabled', disabledReason: 'gone' };
  const goodUntilMs = Math.max(endpoint.activeSinceMs, endpoint.lastSuccessAtMs ?? 0);
  const isOver =
    isFailing(endpoint) &&
    nowMs - goodUntilMs >= withoutSuccessMsMax &&
    nowMs - (endpoint.firstFailureAtMs ?? nowMs) >= firstFailureAgeMsMin;
  return isOver ? { ...endpoint, status: 'disabled', disabledReason: 'failing' } : endpoint;
}

/**
 * Parses a `Retry-After` header, which contains seconds or an HTTP date. Returns the requested wait in milliseconds, or null if the header
 * is absent or malformed.
 * @source RFC 9110, section 10.2.3
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * secondMs;
  const dateMs = /^[A-Z][a-z]{2}, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
