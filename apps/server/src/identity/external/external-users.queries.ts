import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

/**
 * Adds a user of the external issuer.
 * @returns false if the subject or the e-mail address exists already
 */
export async function insertExternalUser(
  tx: Transaction,
  user: {
    readonly id: string;
    readonly issuer: string;
    readonly subject: string;
    readonly email: string | null;
    readonly displayName: string | null;
    readonly createdAt: Date;
  },
): Promise<boolean> {
  const rows = await query(
    tx,
    `insert into app.users (id, issuer, subject, email, display_name, created_at)
     values (cast(:id as uuid), :issuer, :subject, :email, :displayName, :createdAt)
     on conflict do nothing
     returning id`,
    user,
  );
  return rows.length > 0;
}
