/** One way in which the user proved who they are, with the time in seconds since 1970. */
export interface AuthenticationMethod {
  readonly method: 'password' | 'totp';
  readonly timestamp: number;
}

/** Adds a one-time code given at `nowSeconds`, newest first; an earlier one says nothing more and goes. */
export function withTotp(amr: readonly AuthenticationMethod[], nowSeconds: number): readonly AuthenticationMethod[] {
  return [{ method: 'totp', timestamp: nowSeconds }, ...amr.filter(({ method }) => method !== 'totp')];
}

/** When the password of a session was entered, in seconds since 1970, or null. A refresh does not renew it. */
export function passwordSeconds(amr: readonly AuthenticationMethod[]): number | null {
  return amr.find(({ method }) => method === 'password')?.timestamp ?? null;
}

/**
 * The time of the newest one-time code in an `amr` claim, in seconds since 1970, or null. The words of RFC 8176 carry no
 * time, so they do not count.
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
 * When the user last gave a one-time code, in seconds since 1970, or null: the newest `totp` of an `amr` with times, or,
 * where `amr` is a list of words, `auth_time` if `otp` is among them. Source: contract, section 8; RFC 8176 for the word
 */
export function totpTime(claims: { readonly amr?: unknown; readonly auth_time?: unknown }): number | null {
  const { amr, auth_time: authTime } = claims;
  const timed = latestTotpSeconds(amr);
  if (timed !== null) return timed;
  // A log-in without a time may have been last year.
  return Array.isArray(amr) && amr.includes('otp') && Number.isSafeInteger(authTime) ? (authTime as number) : null;
}
