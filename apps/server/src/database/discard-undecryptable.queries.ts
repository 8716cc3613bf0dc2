import { query } from './query.js';
import type { Transaction } from './transaction.js';

/**
 * Deletes the signing keys, TOTP secrets and webhook secrets that are encrypted with a lost key. Pauses the webhook endpoints whose
 * current secret is deleted. Runs as the owner of the tables.
 * @param prefix the beginning of every ciphertext that was encrypted with that key
 * @returns the numbers of deleted signing keys, of authenticators that lost a secret, and of endpoints that lost a secret
 */
export async function discardUndecryptable(
  tx: Transaction,
  prefix: string,
): Promise<{ readonly signingKeys: number; readonly authenticators: number; readonly webhooks: number }> {
  const signingKeys = await query(
    tx,
    `delete from identity.signing_keys where starts_with(private_jwk #>> '{}', :prefix) returning kid`,
    { prefix },
  );
  // A user can have a confirmed and a pending TOTP secret. If only the pending one is lost, the confirmed one stays valid.
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
  const [endpoints] = await query<{ count: number }>(tx, 'select app.discard_webhook_secrets(:prefix) as count', {
    prefix,
  });
  return {
    signingKeys: signingKeys.length,
    authenticators: pending.length + deleted.length,
    webhooks: endpoints?.count ?? 0,
  };
}
