import { UsageError } from '../../errors.js';

/**
 * The moment after a time such as `12h`, `30d` or `8w`, as RFC 3339. Days are 24 hours: a key does not know time zones.
 * @throws UsageError (exit 2) for any other text
 */
export function expiryAfter(time: string, nowMs: number): string {
  const parts = /^([1-9]\d{0,4})([hdw])$/.exec(time.trim());
  if (parts === null) throw new UsageError(`--expires-in "${time}" is not a time.`, 'Use one such as 12h, 30d or 8w.');
  const hours = { h: 1, d: 24, w: 168 }[parts[2] as 'h' | 'd' | 'w'];
  return new Date(nowMs + Number(parts[1]) * hours * 3_600_000).toISOString();
}
