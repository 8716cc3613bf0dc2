import { parseHttpDate } from './http-date.js';

/**
 * Returns the wait that a response requests with the header Retry-After, in milliseconds from now. Returns 0 for a past date, and
 * null if the header is absent or malformed.
 * @param headers.retryAfter whole seconds, or an HTTP date in any of its three forms (RFC 9110, section 10.2.3)
 * @param headers.date the `Date` header of the response, which is the time of the server. A date in Retry-After is compared with
 * the time of the server, because the clock of this machine may be wrong.
 * @param headers.nowMs the clock of this machine, used if the response has no valid `Date`
 */
export function parseRetryAfter(headers: {
  readonly retryAfter: string | null;
  readonly date: string | null;
  readonly nowMs: number;
}): number | null {
  const { retryAfter, date, nowMs } = headers;
  const text = retryAfter?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = parseHttpDate(text, nowMs);
  if (until === null) return null;
  const serverNowMs = date === null ? null : parseHttpDate(date.trim(), nowMs);
  return Math.max(0, until - (serverNowMs ?? nowMs));
}
