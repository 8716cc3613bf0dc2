import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

/** Adds a user and the hash of the user's password in one statement. The columns `id` and `subject` both contain the user's ID. */
export async function insertUser(
  tx: Transaction,
  user: {
    readonly id: string;
    readonly issuer: string;
    readonly email: string;
    readonly displayName: string | null;
    readonly passwordHash: string;
    readonly createdAt: Date;
  },
): Promise<void> {
  await query(
    tx,
    `with created as (
       insert into app.users (id, issuer, subject, email, display_name, created_at)
       values (cast(:id as uuid), :issuer, :id, :email, :displayName, :createdAt)
       returning id
     )
     insert into identity.passwords (user_id, password_hash) select id, :passwordHash from created`,
    user,
  );
}

/** The columns of a user that the login needs. */
export interface UserWithPassword {
  readonly id: string;
  readonly passwordHash: string;
  readonly totpEnrolled: boolean;
}

/** Returns the user of `issuer` with this e-mail address, or undefined. Compares the e-mail addresses in their normalized form. */
export async function findUserByEmail(
  tx: Transaction,
  key: { readonly issuer: string; readonly email: string },
): Promise<UserWithPassword | undefined> {
  const [row] = await query<{ id: string; password_hash: string; totp_enrolled: boolean }>(
    tx,
    `select u.id, p.password_hash,
       exists (select 1 from identity.totp t where t.user_id = u.id and t.secret is not null) as totp_enrolled
     from app.users u join identity.passwords p on p.user_id = u.id
     where u.issuer = :issuer and u.email_key = app.email_key(:email)`,
    key,
  );
  return row && { id: row.id, passwordHash: row.password_hash, totpEnrolled: row.totp_enrolled };
}

/** Returns the profile of a user, or undefined. */
export async function findUser(
  tx: Transaction,
  userId: string,
): Promise<{ email: string | null; displayName: string | null; totpEnrolled: boolean } | undefined> {
  const [row] = await query<{ email: string | null; display_name: string | null; totp_enrolled: boolean }>(
    tx,
    `select u.email, u.display_name,
       exists (select 1 from identity.totp t where t.user_id = u.id and t.secret is not null) as totp_enrolled
     from app.users u where u.id = :userId`,
    { userId },
  );
  return row && { email: row.email, displayName: row.display_name, totpEnrolled: row.totp_enrolled };
}
