import type { Role, Scope } from '@centavo/contracts';

/**
 * The authenticated caller: a user with a session, or a secret that acts for its owner.
 * @source docs/contract.md, section 2
 */
export interface Principal {
  readonly type: 'user' | 'integration_client';
  /** The id of the user, or of the credential. */
  readonly id: string;
  readonly name: string;
  /** The kind of the secret; null for a session. */
  readonly kind: 'secure' | 'legacy' | 'integration_client' | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  /** The user whose roles apply. */
  readonly userId: string;
  readonly credentialId: string | null;
  readonly activeTrackerId: string | null;
  readonly defaultTrackerId: string | null;
  /**
   * The owner of the caller's idempotency keys: `user:<id>` for a session, `lineage:<id>` for a secret. The id in `lineage:<id>` is the id
   * of the first credential in the chain of rotations, so a rotation does not change the owner.
   */
  readonly root: string;
}

/** The tracker of a request. */
export interface EffectiveTracker {
  readonly id: string;
  readonly name: string;
  /** The current role of the principal's user in this tracker. */
  readonly role: Role;
  readonly currencyCode: string;
  readonly timeZone: string;
  /** The start of the request's transaction by the database clock: an RFC 3339 timestamp with milliseconds. */
  readonly now: string;
  /** The local date in the tracker's time zone at `now`. */
  readonly today: string;
  /** Why this tracker was selected: the header or path names it, it is the only eligible one, or it is the active or default tracker. */
  readonly resolvedBy: 'header' | 'single' | 'active' | 'default';
}

/** The claims of a verified access token. */
export interface SessionClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly sessionId: string;
  /** When the user last entered a one-time code, in seconds since 1970; null if the token contains no such time. */
  readonly totpAtSeconds: number | null;
  /** The profile in the token of an external issuer. The server stores it when it adds the user. */
  readonly profile?: { readonly email: string | null; readonly displayName: string | null };
}

/** The rate limits of an operation whose caller is not authenticated yet, such as a login. */
export interface AnonymousLimits {
  /** The IPv4 address that the request came from, or the /64 block of its IPv6 address. */
  readonly addressBlock: string;
  /**
   * Requires that `addressBlock` has not reached the limit of failed authentication attempts.
   * @throws RATE_LIMITED (429) when the limit is reached
   */
  requireFailuresBelowLimit(): Promise<void>;
  /**
   * Consumes a rate-limit token of a user who has just been authenticated.
   * @throws RATE_LIMITED (429)
   */
  consumeForUser(userId: string): Promise<void>;
}

interface TokenVerifier {
  /**
   * Checks signature, algorithm, issuer, audience and times of an access token.
   * @throws CREDENTIAL_INVALID or CREDENTIAL_EXPIRED (401)
   * @throws SERVICE_UNAVAILABLE (503) when the issuer's keys cannot be loaded
   */
  verifyAccessToken(token: string): Promise<SessionClaims>;
}

/** A provider whose sessions are rows of Centavo's database. The first statement of a request checks that the session is active. */
export interface EmbeddedProvider extends TokenVerifier {
  readonly storesSessions: true;
}

/**
 * A provider whose sessions and users belong to an external issuer. The server adds a user's row when it receives the user's first token.
 */
export interface ExternalProvider extends TokenVerifier {
  readonly storesSessions: false;
  /**
   * Asks the issuer whether the session is active now. The result is never cached.
   * @throws SESSION_INACTIVE (401)
   * @throws SERVICE_UNAVAILABLE (503) when the response of the issuer is missing or unclear; the operation is then not allowed
   */
  requireActiveSession(session: { readonly token: string; readonly claims: SessionClaims }): Promise<void>;
  /** Adds the user of a verified token. Does nothing if a concurrent request has added the user. */
  addUser(claims: SessionClaims): Promise<void>;
}

/** The provider of user sessions: the embedded provider, or an external issuer behind the same interface. */
export type IdentityProvider = EmbeddedProvider | ExternalProvider;

// The maximum number of cached formatters. The cache is limited because a formatter takes about 30 kB.
const formatsMax = 256;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the calendar date of a moment in an IANA time zone, `YYYY-MM-DD`. ICU computes the date, because PostgreSQL reads
 * zone names such as `CET` as fixed abbreviations without daylight saving time.
 * @param moment milliseconds since 1970
 */
export function localDate(moment: number, timeZone: string): string {
  return formatOf(timeZone).format(moment);
}

/**
 * Returns the formatter of a time zone from the cache, because creating a formatter costs more than a query. Names that differ only in
 * case share one formatter.
 */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const key = timeZone.toLowerCase();
  const cached = formats.get(key);
  if (cached !== undefined) return cached;
  const [oldest] = formats.keys();
  if (oldest !== undefined && formats.size >= formatsMax) formats.delete(oldest);
  const created = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(key, created);
  return created;
}
