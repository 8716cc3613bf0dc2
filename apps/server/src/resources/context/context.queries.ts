import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';

/** Which of the two stored choices: the active or the default tracker. */
export type TrackerChoice = 'active' | 'default';

const columnOf = { active: 'active_tracker_id', default: 'default_tracker_id' } as const;

/** Stores a tracker as chosen: for a secret on the credential, for a session on the user. Source: contract, section 2. */
export async function storeTrackerChoice(
  tx: Transaction,
  stored: {
    readonly userId: string;
    readonly credentialId: string | null;
    readonly choice: TrackerChoice;
    readonly trackerId: string;
  },
): Promise<void> {
  const { userId, credentialId, choice, trackerId } = stored;
  const table = credentialId === null ? 'app.users' : 'app.credentials';
  await query(tx, `update ${table} set ${columnOf[choice]} = :trackerId where id = :id returning id`, {
    trackerId,
    id: credentialId ?? userId,
  });
}

/** By what the database knows a principal, for entering as the same one again. */
export async function findPrincipalKeys(
  tx: Transaction,
  principal: { readonly userId: string; readonly credentialId: string | null },
): Promise<{ readonly issuer: string; readonly subject: string; readonly secretSha256: Buffer | null }> {
  const [row] = await query<{ issuer: string; subject: string; secret_sha256: Buffer | null }>(
    tx,
    `select u.issuer, u.subject, c.secret_sha256
     from app.users u left join app.credentials c on c.id = cast(:credentialId as uuid)
     where u.id = :userId`,
    principal,
  );
  if (row === undefined) throw new Error('The user of an entered request is gone');
  return { issuer: row.issuer, subject: row.subject, secretSha256: row.secret_sha256 };
}
