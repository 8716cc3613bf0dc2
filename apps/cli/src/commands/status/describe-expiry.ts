const dayMs = 24 * 3_600_000;

/** A credential that expires within this time causes a warning. */
const expiryWarningDays = 14;

/**
 * Describes when a credential expires, with a warning if it expires soon. Days are rounded down, so that a credential
 * never expires earlier than described.
 * @param expiresAt RFC 3339; null if the expiry is unknown
 */
export function describeExpiry(expiresAt: string | null, nowMs: number): { text: string; warning: string | undefined } {
  if (expiresAt === null) return { text: '', warning: undefined };
  const leftMs = Date.parse(expiresAt) - nowMs;
  const days = Math.floor(leftMs / dayMs);
  const left =
    leftMs <= 0 ? 'has expired' : days === 0 ? 'expires today' : `expires in ${days} day${days === 1 ? '' : 's'}`;
  const text = `${expiresAt.slice(0, 10)} (${left})`;
  return { text, warning: days < expiryWarningDays ? `${left}, on ${expiresAt.slice(0, 10)}` : undefined };
}

/** Returns a sentence that names the command for a new credential of this kind. */
export function renewalOf(kind: string | null): string {
  if (kind === 'session') return 'Log in again with "centavo login".';
  if (kind === 'integration_client') {
    return 'Create another client with "centavo clients create", then revoke this one.';
  }
  return 'Create a new key with "centavo keys rotate".';
}
