import type { Dispatcher } from 'undici';
import { type AttemptOutcome, parseRetryAfter } from './decide-attempt.js';
import { AddressNotAllowed } from './guarded-dispatcher.js';

const answerMsMax = 15_000;
const discardedBytesMax = 4_096;

/** Aborts a request for which `mayBegin` returned false. */
class MayNotBegin extends Error {}

/**
 * Makes one attempt to send a delivery, and returns the outcome. A redirect is a failure and is not followed. If a response arrives, the
 * outcome depends only on the status and `Retry-After` of the response.
 * @param attempt.mayBegin called immediately before the first byte of the request is written; if it returns false, no request is sent
 * @returns null if no request was sent
 * @source docs/webhooks.md, "The request"
 */
export async function sendDelivery(
  dispatcher: Dispatcher,
  attempt: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly mayBegin: () => boolean;
    readonly nowMs: () => number;
  },
): Promise<AttemptOutcome | null> {
  const { origin, pathname, search } = new URL(attempt.url);
  const signal = AbortSignal.timeout(answerMsMax);
  const checked = dispatcher.compose(beginOnlyIf(attempt.mayBegin));
  try {
    const { statusCode, headers, body } = await checked.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Centavo-Webhooks/1', ...attempt.headers },
      body: attempt.body,
      signal,
    });
    await body.dump({ limit: discardedBytesMax, signal }).catch(() => {});
    const retryAfter = headers['retry-after'];
    return {
      status: statusCode,
      error: statusCode >= 200 && statusCode < 300 ? null : 'status',
      retryAfterMs: parseRetryAfter(typeof retryAfter === 'string' ? retryAfter : undefined, attempt.nowMs()),
    };
  } catch (error) {
    if (error instanceof MayNotBegin) return null;
    return { status: null, error: describeFailure(error), retryAfterMs: null };
  }
}

/** Calls `mayBegin` when the connection is open and no part of the request has been written. Aborts the request if it returns false. */
function beginOnlyIf(mayBegin: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) =>
    dispatch(request, {
      onRequestStart(controller, context) {
        if (mayBegin()) handler.onRequestStart?.(controller, context);
        else controller.abort(new MayNotBegin());
      },
      onRequestUpgrade: (...parameters) => handler.onRequestUpgrade?.(...parameters),
      onResponseStart: (...parameters) => handler.onResponseStart?.(...parameters),
      onResponseData: (...parameters) => handler.onResponseData?.(...parameters),
      onResponseEnd: (...parameters) => handler.onResponseEnd?.(...parameters),
      onResponseError: (...parameters) => handler.onResponseError?.(...parameters),
    });
}

const timeoutCodes: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const connectCodes: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'EACCES',
]);

/** Returns the reason for a failed attempt. The reason contains no part of the response and no address. */
export function describeFailure(error: unknown): NonNullable<AttemptOutcome['error']> {
  for (const cause of causesOf(error)) {
    const { name, code, syscall } = cause as { name?: unknown; code?: unknown; syscall?: unknown };
    if (cause instanceof AddressNotAllowed) return 'address_not_allowed';
    if (name === 'TimeoutError' || timeoutCodes.has(code)) return 'timeout';
    if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'too_large';
    if (syscall === 'getaddrinfo' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns_failed';
    if (connectCodes.has(code) || syscall === 'connect') return 'connect_failed';
    if (
      typeof code === 'string' &&
      /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_)/.test(code)
    ) {
      return 'tls_failed';
    }
  }
  return 'connection_lost';
}

/** Returns the error, its causes and, if several addresses were tried, the error of each address. */
function causesOf(error: unknown): readonly unknown[] {
  const found: unknown[] = [];
  const pending: unknown[] = [error];
  while (pending.length > 0 && found.length < 20) {
    const next = pending.shift();
    if (typeof next !== 'object' || next === null) continue;
    found.push(next);
    const { cause, errors } = next as { cause?: unknown; errors?: unknown };
    pending.push(cause, ...(Array.isArray(errors) ? errors : []));
  }
  return found;
}
