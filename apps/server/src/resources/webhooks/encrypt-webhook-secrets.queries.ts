import type { Transactions } from '../../database/pool.js';
import { assumeRole, query } from '../../database/query.js';
import type { SecretEncryption } from '../../encryption/secret-encryption.js';
import { webhookSecretOwner } from './webhook-secret.js';

const rowsAtOnce = 200;

interface StoredSecrets {
  readonly id: string;
  readonly secret: string | null;
  readonly previousSecret: string | null;
}

/**
 * Encrypts endpoint secrets with the first encryption key: those that are stored as plain text, and those that are encrypted with another
 * key. Several servers may do this concurrently, because each server skips the rows that another server has locked. Does nothing
 * if there are no encryption keys.
 * @throws Error if the encryption key of a secret is missing
 * @source decision 0031
 */
export async function encryptWebhookSecrets(database: Transactions, encryption: SecretEncryption): Promise<void> {
  const { prefix } = encryption;
  if (prefix === null) return;
  let count: number;
  do count = await encryptBatch(database, encryption, prefix);
  while (count === rowsAtOnce);
}

async function encryptBatch(database: Transactions, encryption: SecretEncryption, prefix: string): Promise<number> {
  return database.transaction({ readOnly: false }, async (tx) => {
    await assumeRole(tx, 'centavo_identity');
    const rows = await query<StoredSecrets>(
      tx,
      `select endpoint_id as id, secret, previous_secret as "previousSecret"
       from app.webhook_secrets_to_encrypt(:prefix, cast(:limit as integer))`,
      { prefix, limit: rowsAtOnce },
    );
    const changes: StoredSecrets[] = [];
    for (const { id, secret, previousSecret } of rows) {
      const owner = webhookSecretOwner(id);
      const reencrypt = async (stored: string | null) =>
        stored === null ? null : encryption.encrypt(await encryption.decrypt(stored, owner), owner);
      changes.push({ id, secret: await reencrypt(secret), previousSecret: await reencrypt(previousSecret) });
    }
    if (changes.length > 0) {
      await query(tx, 'select app.store_webhook_secrets(cast(:secrets as jsonb))', {
        secrets: JSON.stringify(changes),
      });
    }
    return rows.length;
  });
}
