import type { JWK } from 'jose';
import type { Transaction } from '../database/database.js';
import { query } from '../database/query.js';

/** A signing key as it is stored, its private part included. */
export interface StoredSigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
}

/** Every signing key, the one that signs first: the newest. */
export async function listSigningKeys(tx: Transaction): Promise<readonly StoredSigningKey[]> {
  const rows = await query<{ kid: string; private_jwk: JWK }>(
    tx,
    'select kid, private_jwk from identity.signing_keys order by created_at desc, kid',
  );
  return rows.map((row) => ({ kid: row.kid, privateJwk: row.private_jwk }));
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
     select :kid, cast(:privateJwk as jsonb) where not exists (select 1 from identity.signing_keys)`,
    { kid: key.kid, privateJwk: JSON.stringify(key.privateJwk) },
  );
}
