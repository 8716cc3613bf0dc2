import type { Role, Scope } from '@centavo/contracts';

/** Who is calling: a user with a session, or a secret with its owner behind it. Source: contract, section 2. */
export interface Principal {
  readonly type: 'user' | 'integration_client';
  /** The user's id, or the credential's. */
  readonly id: string;
  readonly name: string;
  readonly kind: 'secure' | 'legacy' | 'integration_client' | null;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  /** The person whose roles count. */
  readonly userId: string;
  readonly credentialId: string | null;
  readonly activeTrackerId: string | null;
  readonly defaultTrackerId: string | null;
  /** Owner of idempotency keys: the user, or the credential with its rotations. */
  readonly root: string;
}

/** The tracker that a request acts in. */
export interface EffectiveTracker {
  readonly id: string;
  readonly name: string;
  /** The role that the person behind the principal has there now. */
  readonly role: Role;
  readonly currencyCode: string;
  readonly timeZone: string;
  /** When the request's transaction began, by the database's clock: an RFC 3339 timestamp in milliseconds. */
  readonly now: string;
  /** The tracker's local date at that moment. */
  readonly today: string;
  readonly resolvedBy: 'header' | 'single' | 'active' | 'default';
}

/** What a verified access token says. */
export interface SessionClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly sessionId: string;
  /** When the user last proved possession of the one-time-code device; seconds since 1970, or null. */
  readonly totpAtSeconds: number | null;
  /** What an external issuer tells of the user, for whom no row may exist yet. */
  readonly profile?: { readonly email: string | null; readonly displayName: string | null };
}

/** The limits of an operation whose caller is not authenticated yet, such as a log-in. */
export interface AnonymousLimits {
  /** The part of the network that the call came from. */
  readonly addressBlock: string;
  /** @throws RATE_LIMITED (429) when so many credentials from there have failed that no other one is tried */
  requireFailureLeft(): Promise<void>;
  /**
   * Takes a token of a user who has just proved who they are.
   * @throws RATE_LIMITED (429)
   */
  consumeForUser(userId: string): Promise<void>;
}

interface TokenVerifier {
  /**
   * Checks signature, algorithm, issuer, audience and times of an access token.
   * @throws CREDENTIAL_INVALID or CREDENTIAL_EXPIRED (401)
   * @throws SERVICE_UNAVAILABLE (503) when the issuer's keys cannot be had
   */
  verifyAccessToken(token: string): Promise<SessionClaims>;
}

/** Sessions are rows of this database, so that entering a request asks for them. */
export interface EmbeddedProvider extends TokenVerifier {
  readonly keepsSessions: true;
}

/** Sessions and users are the issuer's: it is asked for the ones, and the others are met at their first token. */
export interface ExternalProvider extends TokenVerifier {
  readonly keepsSessions: false;
  /**
   * Asks the issuer whether the session is active at this moment; the answer is never kept.
   * @throws SESSION_INACTIVE (401)
   * @throws SERVICE_UNAVAILABLE (503) when the issuer gives no clear answer: nothing is allowed on a guess
   */
  requireActiveSession(session: { readonly token: string; readonly claims: SessionClaims }): Promise<void>;
  /** Adds the user of a verified token; if a twin of the request did, that is as good. */
  addUser(claims: SessionClaims): Promise<void>;
}

/** The provider of user sessions: the embedded one, or an external issuer behind the same interface. */
export type IdentityProvider = EmbeddedProvider | ExternalProvider;

// About 30 kB each. A server that meets more zones than this makes some formatters again.
const formatsMax = 256;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the calendar date of a moment in an IANA time zone, `YYYY-MM-DD`. ICU computes it, because trackers name its zones:
 * PostgreSQL takes names such as `CET` for fixed abbreviations and knows no summer there.
 * @param moment milliseconds since 1970
 */
export function localDate(moment: number, timeZone: string): string {
  return formatOf(timeZone).format(moment);
}

/** Making a formatter costs more than a query, so they are kept, by a key that all spellings of a name share. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const key = timeZone.toLowerCase();
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  const [oldest] = formats.keys();
  if (oldest !== undefined && formats.size >= formatsMax) formats.delete(oldest);
  const made = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(key, made);
  return made;
}
