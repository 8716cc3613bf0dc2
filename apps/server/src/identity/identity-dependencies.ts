import type { Transactions } from '../database/pool.js';
import type { SecretEncryption } from '../encryption/secret-encryption.js';
import type { KeyRing } from './signing-keys/key-ring.js';
import type { HashQueue, PasswordHashing } from './users/password-hashing.js';

/** The dependencies of the embedded identity provider. They include time and randomness, so that tests control both. */
export interface IdentityDependencies {
  readonly database: Transactions;
  readonly keyRing: KeyRing;
  readonly encryption: SecretEncryption;
  readonly passwords: PasswordHashing;
  readonly hashQueue: HashQueue;
  readonly registration: 'open' | 'closed';
  readonly stepUpMaxAgeSeconds: number;
  readonly clock: () => Date;
  readonly randomBytes: (byteCount: number) => Buffer;
  readonly newId: () => string;
}

/** The user and the session of a verified access token. */
export interface SessionCaller {
  readonly userId: string;
  readonly sessionId: string;
  /** When the user last entered a one-time code, in seconds since 1970; null if the token contains no such time. */
  readonly totpAtSeconds: number | null;
}

/** The issuer of the embedded provider: the claim `iss` of its tokens, and the column `app.users.issuer` of its users. */
export const embeddedIssuer = 'urn:centavo:identity';

/** The audience of the access tokens. */
export const apiAudience = 'urn:centavo:api';
