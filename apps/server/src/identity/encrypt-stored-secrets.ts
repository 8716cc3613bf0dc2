import { setTimeout as sleep } from 'node:timers/promises';
import type { Transactions } from '../database/pool.js';
import { type SecretEncryption, signingKeyOwner, totpOwner } from '../encryption/secret-encryption.js';
import { identityTransaction } from './identity-transaction.queries.js';
import { lockSigningKeysToEncrypt, updateSigningKey } from './signing-keys/signing-keys.queries.js';
import { hasTotpToEncrypt, lockTotpToEncrypt, type TotpSecrets, updateTotpSecrets } from './totp/totp.queries.js';

const rowsAtOnce = 200;
const pauseMs = 50;
// All pauses together take ten seconds. Other transactions lock a row for a shorter time: for milliseconds while a one-time code is
// verified, and for less than a second while another server encrypts a batch of rows.
const pausesMax = 200;

/**
 * Encrypts signing keys and authenticator secrets with the first encryption key if they are stored as plain text or encrypted with another
 * key. Does nothing if there are no encryption keys. Several servers may do this concurrently: each waits for locked signing keys, and
 * tries locked authenticators again later.
 * @throws Error if a secret cannot be decrypted, for example because its encryption key is missing, or if a row stays locked
 */
export async function encryptStoredSecrets(database: Transactions, encryption: SecretEncryption): Promise<void> {
  const { prefix } = encryption;
  if (prefix === null) return;
  await identityTransaction(database, async (tx) => {
    for (const { kid, stored } of await lockSigningKeysToEncrypt(tx, prefix)) {
      const owner = signingKeyOwner(kid);
      await updateSigningKey(tx, {
        kid,
        stored: await encryption.encrypt(await encryption.decrypt(stored, owner), owner),
      });
    }
  });
  let pauses = 0;
  while (await identityTransaction(database, (tx) => hasTotpToEncrypt(tx, prefix))) {
    const count = await encryptBatch(database, encryption, prefix);
    if (count > 0) continue;
    // Other transactions have locked all the remaining rows.
    if (pauses === pausesMax)
      throw new Error('Authenticators could not be encrypted, because their rows stay locked. Start the server again.');
    pauses += 1;
    await sleep(pauseMs);
  }
}

/** Encrypts the secrets of up to 200 authenticators whose rows are not locked. Returns the number of these rows. */
async function encryptBatch(database: Transactions, encryption: SecretEncryption, prefix: string): Promise<number> {
  const reencrypt = async (stored: string | null, owner: string) =>
    stored === null ? null : encryption.encrypt(await encryption.decrypt(stored, owner), owner);
  return identityTransaction(database, async (tx) => {
    const rows = await lockTotpToEncrypt(tx, { prefix, limit: rowsAtOnce });
    const changes: TotpSecrets[] = [];
    for (const { userId, secret, pendingSecret } of rows) {
      const owner = totpOwner(userId);
      changes.push({
        userId,
        secret: await reencrypt(secret, owner),
        pendingSecret: await reencrypt(pendingSecret, owner),
      });
    }
    await updateTotpSecrets(tx, changes);
    return rows.length;
  });
}
