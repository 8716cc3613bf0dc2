import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { UsedSteps } from './totp.rules.js';

/** A user's authenticator and the wrong codes that were given lately. */
export interface TotpRow {
  /** As it is stored: base32, or that sealed. Null until a first code confirmed it. */
  readonly secret: string | null;
  readonly pendingSecret: string | null;
  /** Numbers of the time steps whose codes were accepted lately. */
  readonly usedSteps: UsedSteps;
  /** When wrong codes were given lately, oldest first. */
  readonly failedAt: readonly Date[];
}

/** Adds the row of a user's authenticator, without any secret, unless it exists. */
export async function addTotp(tx: Transaction, userId: string): Promise<void> {
  await query(tx, 'insert into identity.totp (user_id) values (:userId) on conflict do nothing', { userId });
}

/** Stores a secret that waits for its first code in a row that the caller holds locked; the confirmed one stays in force. */
export async function storePendingSecret(
  tx: Transaction,
  secret: { readonly userId: string; readonly pendingSecret: string },
): Promise<void> {
  await query(tx, 'update identity.totp set pending_secret = :pendingSecret where user_id = :userId', secret);
}

/** The authenticator of a user, locked: codes of one user are judged one after the other, over all servers. */
export async function lockTotp(tx: Transaction, userId: string): Promise<TotpRow | undefined> {
  const [row] = await query<{
    secret: string | null;
    pending_secret: string | null;
    used_steps: string[];
    failed_at: Date[];
  }>(
    tx,
    // Up to the last step all are used where a server of the version before has written it, which knows no others.
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

/** The secrets of a user as they are stored. */
export type TotpSecrets = Pick<TotpRow, 'secret' | 'pendingSecret'> & { readonly userId: string };

const isOpen = `(not starts_with(secret, :prefix) or not starts_with(pending_secret, :prefix)
  or not starts_with(used_steps_of, :prefix))`;

/** Authenticators of which something is not sealed under this prefix, locked; without those that somebody else has locked. */
export async function lockOpenTotp(
  tx: Transaction,
  asked: { readonly prefix: string; readonly limit: number },
): Promise<readonly TotpSecrets[]> {
  const rows = await query<{ user_id: string; secret: string | null; pending_secret: string | null }>(
    tx,
    `select user_id, secret, pending_secret from identity.totp where ${isOpen} limit :limit for update skip locked`,
    asked,
  );
  return rows.map((row) => ({ userId: row.user_id, secret: row.secret, pendingSecret: row.pending_secret }));
}

/** Whether anything of any authenticator is not sealed under this prefix. */
export async function hasOpenTotp(tx: Transaction, prefix: string): Promise<boolean> {
  return (await query(tx, `select 1 from identity.totp where ${isOpen} limit 1`, { prefix })).length > 0;
}

/** Stores secrets another way; what is known of used codes stays true. */
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

/** Keeps when wrong codes were given. */
export async function updateCodeFailures(
  tx: Transaction,
  change: { readonly userId: string; readonly failedAt: readonly Date[] },
): Promise<void> {
  await query(tx, 'update identity.totp set failed_at = cast(:failedAt as timestamptz(3)[]) where user_id = :userId', {
    userId: change.userId,
    failedAt: change.failedAt.map((failure) => failure.toISOString()),
  });
}

/** Keeps which steps are used by now and forgets the wrong codes; the secret is the confirmed one from now on. */
export async function acceptCode(
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
