import type { SessionClaims } from '../../auth/principal.js';
import type { Database } from '../../database/database.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { insertExternalUser } from './external-users.queries.js';

/**
 * Adds the user of a verified token. Twins of one first request add one user. An address that another subject of the
 * issuer has stays with that one, whom fellow members know by it, and the new user gets none: who a member is follows
 * from the subject, never from an address.
 * @throws SERVICE_UNAVAILABLE (503) when the database is away
 */
export async function addExternalUser(
  parts: { readonly database: Database; readonly newId: () => string; readonly clock: () => Date },
  claims: SessionClaims,
): Promise<void> {
  const { issuer, subject, profile } = claims;
  const { email = null, displayName = null } = profile ?? {};
  const user = { id: parts.newId(), issuer, subject, email, displayName, createdAt: parts.clock() };
  await identityTransaction(parts.database, async (tx) => {
    const isAdded = await insertExternalUser(tx, user);
    if (!isAdded && email !== null) await insertExternalUser(tx, { ...user, email: null });
  });
}
