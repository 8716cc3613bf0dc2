import type { createUserBody, Me, User } from '@centavo/contracts';
import type * as z from 'zod';
import { credentialInvalid } from '../../auth/credentials.js';
import { violatedConstraint } from '../../database/postgres-errors.js';
import { embeddedIssuer, type IdentityParts } from '../identity-dependencies.js';
import { emailTaken, registrationClosed } from '../identity-errors.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { findUser, insertUser } from './users.queries.js';

/**
 * Registers a user. The address belongs to one user in every case of its letters; the password is kept as its Argon2id
 * hash, made before a connection is taken.
 * @throws STATE_CONFLICT (409) registration_closed, email_taken
 * @throws SERVICE_UNAVAILABLE (503) when too many passwords wait to be hashed. Source: contract, section 8; decision 0034
 */
export async function createUser(
  parts: Pick<IdentityParts, 'database' | 'passwords' | 'hashQueue' | 'registration' | 'clock' | 'newId'>,
  { body, addressBlock }: { readonly body: z.output<typeof createUserBody>; readonly addressBlock: string },
): Promise<User> {
  if (parts.registration === 'closed') throw registrationClosed();
  const passwordHash = await parts.hashQueue.run(addressBlock, () => parts.passwords.hash(body.password));
  const user = {
    id: parts.newId(),
    email: body.email,
    displayName: body.displayName ?? null,
    createdAt: parts.clock(),
  };
  try {
    await identityTransaction(parts.database, (tx) =>
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
 * The profile of the calling user.
 * @throws CREDENTIAL_INVALID (401) when there is no such user any more
 */
export async function getMe(parts: Pick<IdentityParts, 'database'>, userId: string): Promise<Me> {
  const profile = await identityTransaction(parts.database, (tx) => findUser(tx, userId));
  if (profile === undefined) throw credentialInvalid('the user is gone');
  return { userId, ...profile };
}
