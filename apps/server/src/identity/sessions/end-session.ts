import type { IdentityParts } from '../identity-dependencies.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { endSessionRow } from './sessions.queries.js';

/**
 * Ends a session at once and for every server: when this returns, nothing more is committed under it. Ending an ended one
 * changes nothing. Source: contract, section 8.
 */
export async function endSession(parts: Pick<IdentityParts, 'database' | 'clock'>, sessionId: string): Promise<void> {
  await identityTransaction(parts.database, (tx) => endSessionRow(tx, { sessionId, now: parts.clock() }));
}
