/** An authentication method that the user completed, with the time in seconds since 1970. */
export interface AuthenticationMethod {
  readonly method: 'password' | 'totp';
  readonly timestamp: number;
}

/** Returns a new list that starts with a one-time code entered at `nowSeconds`. The list contains no earlier one-time code. */
export function withTotp(amr: readonly AuthenticationMethod[], nowSeconds: number): readonly AuthenticationMethod[] {
  return [{ method: 'totp', timestamp: nowSeconds }, ...amr.filter(({ method }) => method !== 'totp')];
}

/** Returns the time of the login with the password, in seconds since 1970, or null. A token refresh does not change this time. */
export function passwordSeconds(amr: readonly AuthenticationMethod[]): number | null {
  return amr.find(({ method }) => method === 'password')?.timestamp ?? null;
}

/**
 * Returns the time of the newest one-time code in an `amr` claim, in seconds since 1970, or null. The strings of RFC 8176, such as `otp`,
 * have no time, so they do not count.
 */
export function latestTotpSeconds(amr: unknown): number | null {
  if (!Array.isArray(amr)) return null;
  const times = amr.filter(isTotp).map(({ timestamp }) => timestamp);
  return times.length === 0 ? null : Math.max(...times);
}

function isTotp(entry: unknown): entry is { timestamp: number } {
  if (entry === null || typeof entry !== 'object') return false;
  const { method, timestamp } = entry as Record<string, unknown>;
  return method === 'totp' && Number.isSafeInteger(timestamp);
}

/**
 * Returns the time of the last one-time code in the claims of an external issuer, in seconds since 1970, or null. If `amr`
 * contains `totp` entries with times, the newest of these times counts. If `amr` contains no such entry but the string `otp`, the
 * time of the login (`auth_time`) counts.
 * @source docs/contract.md, section 8; RFC 8176
 */
export function externalTotpSeconds(claims: { readonly amr?: unknown; readonly auth_time?: unknown }): number | null {
  const { amr, auth_time: authTime } = claims;
  const timed = latestTotpSeconds(amr);
  if (timed !== null) return timed;
  // `otp` without `auth_time` does not count, because the login may be old.
  return Array.isArray(amr) && amr.includes('otp') && Number.isSafeInteger(authTime) ? (authTime as number) : null;
}
