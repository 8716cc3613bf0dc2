import type { Transaction } from './database.js';
import { query } from './query.js';

/**
 * Deletes the signing keys and authenticators that begin so, sealed with a key that is lost, as the owner of the tables.
 * @returns how many there were of each
 */
export async function forgetSealed(
  tx: Transaction,
  prefix: string,
): Promise<{ readonly signingKeys: number; readonly authenticators: number }> {
  const signingKeys = await query(
    tx,
    `delete from identity.signing_keys where starts_with(private_jwk #>> '{}', :prefix) returning kid`,
    { prefix },
  );
  // One that is confirmed and can be opened stays in force.
  const pending = await query(
    tx,
    `update identity.totp set pending_secret = null
     where starts_with(pending_secret, :prefix) and not starts_with(secret, :prefix) returning user_id`,
    { prefix },
  );
  const deleted = await query(
    tx,
    `delete from identity.totp where starts_with(coalesce(secret, pending_secret), :prefix) returning user_id`,
    { prefix },
  );
  return { signingKeys: signingKeys.length, authenticators: pending.length + deleted.length };
}
