import { latestTotpSeconds } from '../sessions/authentication-methods.js';

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
