import { parseHttpDate } from './http-date.js';

/**
 * Returns the wait that an answer requests, in milliseconds from now; 0 for a past date; null if the header is absent
 * or malformed.
 * @param retryAfter the header: whole seconds, or an HTTP date in any of its three forms (RFC 9110, section 10.2.3)
 * @param date the `Date` header of the answer: a date is compared with the server's clock, because this machine's may
 * be wrong
 * @param nowMs this machine's clock, used if the answer has no `Date`
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
