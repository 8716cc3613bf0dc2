import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';

/** A signing key as it is stored. */
export interface StoredSigningKey {
  readonly kid: string;
  /** JSON of its private JWK, or that sealed. */
  readonly stored: string;
}

/** Every signing key, the one that signs first: the newest. */
export async function listSigningKeys(tx: Transaction): Promise<readonly StoredSigningKey[]> {
  return query<StoredSigningKey>(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys order by created_at desc, kid`,
  );
}

/**
 * Stores a key if there is none yet. Servers that start together take turns, so the first one's key is everybody's; the
 * lock is a statement of its own, because the insert must see what was committed while it was waited for.
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

/** The signing keys that are not sealed under this prefix, locked. */
export async function lockOpenSigningKeys(tx: Transaction, prefix: string): Promise<readonly StoredSigningKey[]> {
  return query<StoredSigningKey>(
    tx,
    `select kid, private_jwk #>> '{}' as stored from identity.signing_keys
     where not starts_with(private_jwk #>> '{}', :prefix) order by kid for update`,
    { prefix },
  );
}

/** Stores a signing key another way. */
export async function updateSigningKey(tx: Transaction, key: StoredSigningKey): Promise<void> {
  await query(tx, 'update identity.signing_keys set private_jwk = cast(:json as jsonb) where kid = :kid', {
    kid: key.kid,
    json: jsonOf(key),
  });
}

/** A JWK is an object in the column, what is sealed a string. */
function jsonOf({ stored }: StoredSigningKey): string {
  return stored.startsWith('{') ? stored : JSON.stringify(stored);
}
