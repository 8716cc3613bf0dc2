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
