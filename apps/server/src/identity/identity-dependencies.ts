import type { Transactions } from '../database/database.js';
import type { Sealing } from './secret-encryption.js';
import type { KeyRing } from './signing-keys/key-ring.js';
import type { HashQueue, PasswordHashing } from './users/password-hashing.js';

/** What the acts of the provider work with; time and randomness are here, so that tests decide both. */
export interface IdentityParts {
  readonly database: Transactions;
  readonly keyRing: KeyRing;
  readonly sealing: Sealing;
  readonly passwords: PasswordHashing;
  readonly hashQueue: HashQueue;
  readonly registration: 'open' | 'closed';
  readonly stepUpMaxAgeSeconds: number;
  readonly clock: () => Date;
  readonly randomBytes: (byteCount: number) => Buffer;
  readonly newId: () => string;
}

/** The user and the session behind an access token that was verified. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** When the token says that a one-time code was given; seconds since 1970, or null. */
  readonly totpAtSeconds: number | null;
}

/** Name of the provider in `iss` and in `app.users.issuer`. */
export const embeddedIssuer = 'urn:centavo:identity';

/** Whom its access tokens are for. */
export const apiAudience = 'urn:centavo:api';
