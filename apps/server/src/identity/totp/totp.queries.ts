import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import type { UsedSteps } from './totp.rules.js';

/** The authenticator of a user, with its recent wrong codes. */
export interface TotpRow {
  /** The secret as it is stored: base32 or its ciphertext. Null until a code has confirmed it. */
  readonly secret: string | null;
  readonly pendingSecret: string | null;
  /** The recent time steps whose codes were accepted. */
  readonly usedSteps: UsedSteps;
  /** The times of recent wrong codes, oldest first. */
  readonly failedAt: readonly Date[];
}

/** Adds the row of a user's authenticator without a secret, unless the row exists. */
export async function addTotp(tx: Transaction, userId: string): Promise<void> {
  await query(tx, 'insert into identity.totp (user_id) values (:userId) on conflict do nothing', { userId });
}

/** Stores a secret that no code has confirmed yet, in a row that the caller has locked. A secret confirmed earlier stays valid. */
export async function storePendingSecret(
  tx: Transaction,
  secret: { readonly userId: string; readonly pendingSecret: string },
): Promise<void> {
  await query(tx, 'update identity.totp set pending_secret = :pendingSecret where user_id = :userId', secret);
}

/** Locks and returns the authenticator of a user. Because of the lock, no two transactions verify codes of this user at the same time. */
export async function lockTotp(tx: Transaction, userId: string): Promise<TotpRow | undefined> {
  const [row] = await query<{
    secret: string | null;
    pending_secret: string | null;
    used_steps: string[];
    failed_at: Date[];
  }>(
    tx,
    // During an upgrade, a server of the previous version may accept a code. That server updates only `last_step`, so `used_steps` is out
    // of date. In this case every step up to `last_step` counts as used. `used_steps_of` holds the secret to which `used_steps` belongs.
    `select secret, pending_secret, failed_at,
       case when last_step is null or (last_step = any (used_steps) and used_steps_of = secret) then used_steps
       else array(select generate_series(last_step - 9, last_step)) end as used_steps
     from identity.totp where user_id = :userId for update`,
    { userId },
  );
  if (row === undefined) return undefined;
  return {
    secret: row.secret,
    pendingSecret: row.pending_secret,
    usedSteps: row.used_steps.map(Number),
    failedAt: row.failed_at,
  };
}

/** The stored secrets of a user. */
export type TotpSecrets = Pick<TotpRow, 'secret' | 'pendingSecret'> & { readonly userId: string };

const needsEncryption = `(not starts_with(secret, :prefix) or not starts_with(pending_secret, :prefix)
  or not starts_with(used_steps_of, :prefix))`;

/**
 * Locks and returns authenticators with a secret that is not encrypted with the first encryption key. The ciphertexts of that key start
 * with `prefix`. Skips rows that another transaction has locked.
 */
export async function lockTotpToEncrypt(
  tx: Transaction,
  options: { readonly prefix: string; readonly limit: number },
): Promise<readonly TotpSecrets[]> {
  const rows = await query<{ user_id: string; secret: string | null; pending_secret: string | null }>(
    tx,
    `select user_id, secret, pending_secret from identity.totp where ${needsEncryption} limit :limit for update skip locked`,
    options,
  );
  return rows.map((row) => ({ userId: row.user_id, secret: row.secret, pendingSecret: row.pending_secret }));
}

/**
 * Returns whether any authenticator has a secret that is not encrypted with the first encryption key. Also checks rows that another
 * transaction has locked.
 */
export async function hasTotpToEncrypt(tx: Transaction, prefix: string): Promise<boolean> {
  return (await query(tx, `select 1 from identity.totp where ${needsEncryption} limit 1`, { prefix })).length > 0;
}

/** Replaces stored secrets with new ciphertexts of the same secrets. Codes that were used before still count as used. */
export async function updateTotpSecrets(tx: Transaction, changes: readonly TotpSecrets[]): Promise<void> {
  await query(
    tx,
    `update identity.totp t set secret = c.secret, pending_secret = c."pendingSecret",
       used_steps_of = case when t.used_steps_of = t.secret then c.secret end
     from jsonb_to_recordset(cast(:changes as jsonb)) as c ("userId" uuid, secret text, "pendingSecret" text)
     where t.user_id = c."userId"`,
    { changes: JSON.stringify(changes) },
  );
}

/** Stores the times of a user's recent wrong codes. */
export async function updateCodeFailures(
  tx: Transaction,
  change: { readonly userId: string; readonly failedAt: readonly Date[] },
): Promise<void> {
  await query(tx, 'update identity.totp set failed_at = cast(:failedAt as timestamptz(3)[]) where user_id = :userId', {
    userId: change.userId,
    failedAt: change.failedAt.map((failure) => failure.toISOString()),
  });
}

/** Stores the used time steps, deletes the times of wrong codes, and stores the secret of the accepted code as the confirmed secret. */
export async function recordAcceptedCode(
  tx: Transaction,
  accepted: { readonly userId: string; readonly secret: string; readonly usedSteps: UsedSteps },
): Promise<void> {
  await query(
    tx,
    `update identity.totp
     set secret = :secret, pending_secret = case when pending_secret = :secret then null else pending_secret end,
       used_steps = cast(:usedSteps as bigint[]), used_steps_of = :secret, last_step = cast(:lastStep as bigint), failed_at = '{}'
     where user_id = :userId`,
    { ...accepted, usedSteps: accepted.usedSteps.map(String), lastStep: Math.max(...accepted.usedSteps) },
  );
}
