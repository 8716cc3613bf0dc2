import type { createUserBody, Me, User } from '@centavo/contracts';
import { v7 as uuidv7 } from 'uuid';
import type * as z from 'zod';
import { credentialInvalid } from '../../auth/credentials.js';
import { violatedConstraint } from '../../database/errors.js';
import type { Database } from '../../database/pool.js';
import { embeddedIssuer, type IdentityDependencies } from '../identity-dependencies.js';
import { emailTaken, registrationClosed } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { argon2id, openHashQueue } from './password-hashing.js';
import { findUser, insertUser } from './users.queries.js';

/**
 * Registers a user and returns the user's record. E-mail addresses are unique regardless of case. The password is stored as an Argon2id
 * hash, which is computed before a database connection is acquired.
 * @throws STATE_CONFLICT (409) `registration_closed` if registration is closed, `email_taken` if another user has the address
 * @throws SERVICE_UNAVAILABLE (503) if too many passwords wait to be hashed
 * @source docs/contract.md, section 8; decision 0034
 */
export async function createUser(
  dependencies: Pick<IdentityDependencies, 'database' | 'passwords' | 'hashQueue' | 'registration' | 'clock' | 'newId'>,
  { body, addressBlock }: { readonly body: z.output<typeof createUserBody>; readonly addressBlock: string },
): Promise<User> {
  if (dependencies.registration === 'closed') throw registrationClosed();
  const passwordHash = await dependencies.hashQueue.run(addressBlock, () => dependencies.passwords.hash(body.password));
  const user = {
    id: dependencies.newId(),
    email: body.email,
    displayName: body.displayName ?? null,
    createdAt: dependencies.clock(),
  };
  try {
    await identityTransaction(dependencies.database, (tx) =>
      insertUser(tx, { ...user, issuer: embeddedIssuer, passwordHash }),
    );
  } catch (error) {
    if (violatedConstraint(error) === 'users_email_key') throw emailTaken();
    throw error;
  }
  const { id, createdAt, ...profile } = user;
  return { userId: id, ...profile, createdAt: createdAt.toISOString() };
}

/**
 * Returns the profile of the calling user.
 * @throws CREDENTIAL_INVALID (401) if the user no longer exists
 */
export async function getMe(dependencies: Pick<IdentityDependencies, 'database'>, userId: string): Promise<Me> {
  const profile = await identityTransaction(dependencies.database, (tx) => findUser(tx, userId));
  if (profile === undefined) throw credentialInvalid('the user no longer exists');
  return { userId, ...profile };
}

/**
 * Adds a user on behalf of the operator, even if registration is closed.
 * @throws STATE_CONFLICT (409) `email_taken` if another user has the address
 */
export async function addUser(
  dependencies: { readonly database: Database; readonly clock: () => Date },
  user: { readonly email: string; readonly password: string; readonly displayName: string },
): Promise<void> {
  const own = { passwords: argon2id, hashQueue: openHashQueue(), newId: uuidv7, registration: 'open' } as const;
  await createUser({ ...dependencies, ...own }, { body: user, addressBlock: '' });
}
