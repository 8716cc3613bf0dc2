import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

/** A signing key as it is stored. */
export interface StoredSigningKey {
  readonly kid: string;
  /** The JSON of the private JWK, or its ciphertext. */
  readonly stored: string;
}

/** Returns all signing keys, newest first. The first key signs. */
export async function listSigningKeys(tx: Transaction): Promise<readonly StoredSigningKey[]> {
  return query<StoredSigningKey>(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys order by created_at desc, kid`,
  );
}

/**
 * Stores a key if there is none yet. Servers that start together wait for each other, so all use the key that the first server stored.
 * A separate statement takes the lock before the insert, because the insert must see a key that another server committed during the wait.
 */
export async function insertFirstSigningKey(tx: Transaction, key: StoredSigningKey): Promise<void> {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('identity.signing_keys', 4))`);
  await query(
    tx,
    `insert into identity.signing_keys (kid, private_jwk)
     select :kid, cast(:json as jsonb) where not exists (select 1 from identity.signing_keys)`,
    { kid: key.kid, json: jsonOf(key) },
  );
}

/**
 * Locks and returns the signing keys that are not encrypted with the first key of `ENCRYPTION_KEY`. The ciphertexts of that encryption key
 * start with `prefix`.
 */
export async function lockSigningKeysToEncrypt(tx: Transaction, prefix: string): Promise<readonly StoredSigningKey[]> {
  return query<StoredSigningKey>(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys
     where not starts_with(private_jwk #>> '{}', :prefix) order by kid for update`,
    { prefix },
  );
}

/** Replaces the `stored` value of a signing key. */
export async function updateSigningKey(tx: Transaction, key: StoredSigningKey): Promise<void> {
  await query(tx, 'update identity.signing_keys set private_jwk = cast(:json as jsonb) where kid = :kid', {
    kid: key.kid,
    json: jsonOf(key),
  });
}

/** Returns the JSON for the column `private_jwk`: an object for a JWK, and a string for a ciphertext. */
function jsonOf({ stored }: StoredSigningKey): string {
  return stored.startsWith('{') ? stored : JSON.stringify(stored);
}
