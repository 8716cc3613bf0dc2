import type { Role } from '@centavo/contracts';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { InvitationRow } from './invitation-view.js';
import type { MembershipKey } from './members.queries.js';

// Row-level security hides expired invitations from every statement here.

/** The open invitations of the caller, the oldest first. */
export async function listInvitations(tx: Transaction): Promise<InvitationRow[]> {
  return query<InvitationRow>(tx, 'select * from app.open_invitations()', {});
}

/** The role that an open invitation would give, or undefined where there is none. */
export async function findInvitedRole(tx: Transaction, key: MembershipKey): Promise<Role | undefined> {
  const [row] = await query<{ role: Role }>(
    tx,
    'select role from app.invitations where tracker_id = :trackerId and user_id = :userId',
    { ...key },
  );
  return row?.role;
}

/**
 * How many open invitations count against a user's limit, those to other trackers included. Invitations of one user wait here
 * for each other, so that two cannot both be the last. Removes the user's expired ones.
 */
export async function countOpenInvitations(tx: Transaction, userId: string): Promise<number> {
  const [row] = await query<{ count: number }>(tx, 'select app.count_open_invitations(:userId) as count', { userId });
  return row?.count ?? 0;
}

/** Invites a user for 30 days. The caller holds the lock of the membership and found no member and no invitation. */
export async function insertInvitation(
  tx: Transaction,
  invitation: MembershipKey & { readonly role: Role; readonly invitedBy: string },
): Promise<void> {
  await query(
    tx,
    `insert into app.invitations (tracker_id, user_id, role, invited_by)
     values (:trackerId, :userId, :role, :invitedBy)`,
    { ...invitation },
  );
}

/** Gives an invited user another role to accept. */
export async function updateInvitationRole(
  tx: Transaction,
  invitation: MembershipKey & { readonly role: Role },
): Promise<void> {
  await query(tx, 'update app.invitations set role = :role where tracker_id = :trackerId and user_id = :userId', {
    ...invitation,
  });
}

/**
 * Ends an invitation.
 * @returns false when there was no open one
 */
export async function deleteInvitation(tx: Transaction, key: MembershipKey): Promise<boolean> {
  const rows = await query(
    tx,
    'delete from app.invitations where tracker_id = :trackerId and user_id = :userId returning user_id',
    { ...key },
  );
  return rows.length > 0;
}

/**
 * Makes the caller a member with the role of the invitation. The rest of the transaction acts in this tracker.
 * `app.carry_context()` sends the new tracker to the other machines of a sharded database; on one machine it does nothing.
 * @returns false when there was no open invitation
 */
export async function acceptInvitation(tx: Transaction, trackerId: string): Promise<boolean> {
  const [row] = await query<{ accepted: boolean }>(
    tx,
    'select app.accept_invitation(:trackerId) as accepted, app.carry_context()',
    { trackerId },
  );
  return row?.accepted === true;
}
