import { parseHttpDate } from './http-date.js';

/**
 * How long an answer asks to wait, in milliseconds from now; null if it does not say so in a way that can be read. A date
 * that has passed is 0.
 * @param retryAfter the header: whole seconds, or an HTTP date in any of its three forms (RFC 9110, section 10.2.3)
 * @param date the answer's `Date` header: a date is compared with the clock that wrote it, because this machine's may be wrong
 * @param nowMs this machine's clock, where the answer has no `Date`
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
