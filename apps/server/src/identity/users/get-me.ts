import type { Me } from '@centavo/contracts';
import { credentialInvalid } from '../../auth/credentials.js';
import type { IdentityParts } from '../identity-dependencies.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { findUser } from './users.queries.js';

/**
 * The profile of the calling user.
 * @throws CREDENTIAL_INVALID (401) when there is no such user any more
 */
export async function getMe(parts: Pick<IdentityParts, 'database'>, userId: string): Promise<Me> {
  const profile = await identityTransaction(parts.database, (tx) => findUser(tx, userId));
  if (profile === undefined) throw credentialInvalid('the user is gone');
  return { userId, ...profile };
}
