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
  spendOfUser(userId: string): Promise<void>;
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
