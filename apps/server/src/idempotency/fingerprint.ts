import { hash } from 'node:crypto';
import { canonicalAmount } from '@centavo/contracts';

/**
 * Returns the SHA-256 that identifies the intent of a request. It covers method, route, path ids, tracker and validated body, but not
 * If-Match. `"10"` and `"10.00"` count as the same amount. The hash covers no default value except the default mode of a bulk request. For
 * example, the default date is today: if the hash covered the default date, a retry after midnight would not match.
 * @returns 32 bytes
 * @source docs/contract.md, section 6
 */
export function requestFingerprint(request: {
  readonly method: string;
  readonly route: string;
  /** The parameters of the path, with UUIDs in lower case. */
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly trackerId: string;
  readonly body: unknown;
}): Buffer {
  const { method, route, pathParameters, trackerId, body } = request;
  const text = fingerprintText(['v1', method, route, pathParameters, trackerId, body ?? null]);
  return hash('sha256', text, 'buffer');
}

/** Returns JSON with sorted keys, without undefined fields, and with amounts in canonical form. */
function fingerprintText(value: unknown, name = ''): string {
  if (Array.isArray(value)) return `[${value.map((item) => fingerprintText(item)).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => `${JSON.stringify(key)}:${fingerprintText(field, key)}`);
    return `{${fields.join(',')}}`;
  }
  if (typeof value === 'string' && name.endsWith('Decimal')) return JSON.stringify(canonicalAmount(value));
  return JSON.stringify(value);
}
