import type { JWK } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import type { IdentityProvider } from '../auth/principal.js';
import type { EncryptionKey } from '../config/encryption-keys.js';
import type { Database } from '../database/database.js';
import { sealStored } from './encrypt-stored-secrets.js';
import { createIdentityEndpoints } from './identity.endpoints.js';
import type { IdentityParts } from './identity-dependencies.js';
import { createSealing } from './secret-encryption.js';
import { verifyAccessToken } from './sessions/access-token.js';
import { createKeyRing } from './signing-keys/key-ring.js';
import { argon2id, countHashesAtOnce, HashQueue, type PasswordHashing } from './users/password-hashing.js';
import { createUser } from './users/users.js';

/** The embedded provider: how access asks it, the calls it serves, and its public keys. */
export interface EmbeddedIdentity {
  readonly provider: IdentityProvider;
  readonly endpoints: ReturnType<typeof createIdentityEndpoints>;
  /**
   * Seals what the database still tells openly, where there are keys to seal with, and loads the signing key or makes the first.
   * @throws Error with the remedy, where what is sealed cannot be opened
   */
  prepare(): Promise<void>;
  /** The JWK set for `/.well-known/jwks.json`; made at the first start and kept in the database. */
  jwks(): Promise<{ readonly keys: readonly JWK[] }>;
}

/**
 * Creates the embedded identity provider: users with passwords, sessions, and one-time codes for step-up.
 * @param options.encryptionKeys the first seals seeds and signing keys, all open them; none unless told
 * @param options.stepUpMaxAgeSeconds how long a one-time code counts as recent; 600 unless told
 * @param options.passwords Argon2id unless told; a test replaces it to see that it was asked
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
  const sealing = createSealing(options.encryptionKeys ?? []);
  const keyRing = createKeyRing({ database, sealing, clock });
  const parts: Omit<IdentityParts, 'database'> = {
    clock,
    randomBytes,
    keyRing,
    sealing,
    registration: options.registration,
    stepUpMaxAgeSeconds: options.stepUpMaxAgeSeconds ?? 600,
    passwords: options.passwords ?? argon2id,
    hashQueue: openHashQueue(),
    newId: () => uuidv7({ msecs: clock().getTime(), random: randomBytes(16) }),
  };
  return {
    provider: {
      keepsSessions: true,
      verifyAccessToken: (token) => verifyAccessToken({ token, keyRing, now: clock() }),
    },
    endpoints: createIdentityEndpoints(parts),
    async prepare() {
      await sealStored(database, sealing);
      await keyRing.signingKey();
    },
    jwks: async () => ({ keys: await keyRing.publicKeys() }),
  };
}

/**
 * Adds a user by the operator's own act, for which registration is never closed.
 * @throws STATE_CONFLICT (409) email_taken
 */
export async function addUser(
  parts: { readonly database: Database; readonly clock: () => Date },
  user: { readonly email: string; readonly password: string; readonly displayName: string },
): Promise<void> {
  const own = { passwords: argon2id, hashQueue: openHashQueue(), newId: uuidv7, registration: 'open' } as const;
  await createUser({ ...parts, ...own }, { body: user, addressBlock: '' });
}

// Those that wait are answered within about a second, also on two busy processors.
const hashesWaitingMax = 32;

function openHashQueue(): HashQueue {
  return new HashQueue({
    atOnce: countHashesAtOnce(process.env.UV_THREADPOOL_SIZE),
    waitingMax: hashesWaitingMax,
  });
}
