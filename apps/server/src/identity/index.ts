import type { JWK } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityProvider } from '../auth/principal.js';
import type { EncryptionKey } from '../config/encryption-keys.js';
import type { Database } from '../database/pool.js';
import { createSecretEncryption } from '../encryption/secret-encryption.js';
import { encryptStoredSecrets } from './encrypt-stored-secrets.js';
import { createIdentityEndpoints } from './identity.endpoints.js';
import type { IdentityDependencies } from './identity-dependencies.js';
import { verifyAccessToken } from './sessions/access-token.js';
import { createKeyRing } from './signing-keys/key-ring.js';
import { argon2id, loadArgon2, openHashQueue, type PasswordHashing } from './users/password-hashing.js';

export type { PasswordHashing } from './users/password-hashing.js';
export { addUser } from './users/users.js';

/** The embedded identity provider: its interface for authentication, its endpoints and its public keys. */
export interface EmbeddedIdentity {
  readonly provider: IdentityProvider;
  readonly endpoints: ReturnType<typeof createIdentityEndpoints>;
  /**
   * If there are encryption keys, encrypts all signing keys and authenticator secrets with the first encryption key. Loads the signing
   * keys. If there is none, creates the first one.
   * @throws Error if a secret cannot be decrypted, if its row stays locked, or if the native module of Argon2id is missing
   */
  prepare(): Promise<void>;
  /** Returns the JWK set for `/.well-known/jwks.json`. The first start creates the signing key and stores it in the database. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
}

/**
 * Creates the embedded identity provider: users with passwords, sessions, and one-time codes for step-up.
 * @param options.encryptionKeys the first key encrypts authenticator secrets and signing keys; the others only decrypt; no keys by default
 * @param options.stepUpMaxAgeSeconds how long a one-time code or a login with the password counts as recent; 600 by default
 * @param options.passwords the password hashing, Argon2id by default; a test replaces it to count the calls, or to hash at less cost
 */
export function createEmbeddedIdentity(options: {
  readonly database: Database;
  readonly registration: 'open' | 'closed';
  readonly clock: () => Date;
  readonly randomBytes: (byteCount: number) => Buffer;
  readonly encryptionKeys?: readonly EncryptionKey[];
  readonly stepUpMaxAgeSeconds?: number;
  readonly passwords?: PasswordHashing;
}): EmbeddedIdentity {
  const { database, clock, randomBytes } = options;
  const encryption = createSecretEncryption(options.encryptionKeys ?? []);
  const keyRing = createKeyRing({ database, encryption, clock });
  const dependencies: Omit<IdentityDependencies, 'database'> = {
    clock,
    randomBytes,
    keyRing,
    encryption,
    registration: options.registration,
    stepUpMaxAgeSeconds: options.stepUpMaxAgeSeconds ?? 600,
    passwords: options.passwords ?? argon2id,
    hashQueue: openHashQueue(),
    newId: () => uuidv7({ msecs: clock().getTime(), random: randomBytes(16) }),
  };
  return {
    provider: {
      storesSessions: true,
      verifyAccessToken: (token) => verifyAccessToken({ token, keyRing, now: clock() }),
    },
    endpoints: createIdentityEndpoints(dependencies),
    async prepare() {
      if (options.passwords === undefined) await loadArgon2();
      await encryptStoredSecrets(database, encryption);
      await keyRing.signingKey();
    },
    jwks: async () => ({ keys: await keyRing.publicKeys() }),
  };
}
