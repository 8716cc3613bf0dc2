import type { Role } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import type { MemberFacts } from './context.rules.js';
import type { InvitationRow, MemberRow } from './context.view.js';

/** Identifies a membership or an invitation. */
export interface MembershipKey {
  readonly trackerId: string;
  readonly userId: string;
}

// app.invited_users() returns the invited users of the transaction's tracker. The subquery below cannot read them from app.users,
// because row-level security hides their rows.
const membersAndInvited = `(
    select m.user_id, u.email, u.display_name, m.role, 'active' as status, m.created_at, u.created_at as registered_at
    from app.members m join app.users u on u.id = m.user_id
    where m.tracker_id = :trackerId
    union all
    select user_id, email, display_name, role, 'invited', created_at, registered_at from app.invited_users()
  ) m`;

/** Lists members and invited users of a tracker, the oldest membership or invitation first. */
export async function listMembers(tx: Transaction, trackerId: string): Promise<MemberRow[]> {
  return query<MemberRow>(tx, `select m.* from ${membersAndInvited} order by m.created_at, m.user_id`, { trackerId });
}

/** Finds a member or invited user, with the number of owners of the tracker. */
export async function findMember(tx: Transaction, key: MembershipKey): Promise<MemberFacts | undefined> {
  const [row] = await query<MemberFacts>(
    tx,
    `select m.*,
       (select count(*)::int from app.members o where o.tracker_id = :trackerId and o.role = 'owner') as owner_count
     from ${membersAndInvited}
     where m.user_id = :userId`,
    { ...key },
  );
  return row;
}

/**
 * Locks a membership or an invitation until the transaction ends, so that no concurrent request creates or changes it. Also waits for
 * the user's open writes in the tracker, which hold the lock in shared mode (see app.enter_request). Therefore no write commits under a
 * role that was already revoked.
 */
export async function lockMembership(tx: Transaction, key: MembershipKey): Promise<void> {
  await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(
       cast(cast(:trackerId as uuid) as text) || ' ' || cast(cast(:userId as uuid) as text), 2))`,
    { ...key },
  );
}

/**
 * Locks the row of a tracker until the transaction ends, so that the last two owners cannot leave concurrently. To prevent deadlocks,
 * call {@link lockMembership} first: a write that waits for the tracker's row already holds the lock on the membership of
 * its caller.
 */
export async function lockOwners(tx: Transaction, trackerId: string): Promise<void> {
  // `for update` would block inserts of accounts, budgets and other rows whose foreign key locks this row.
  await query(tx, 'select id from app.trackers where id = :trackerId for no key update', { trackerId });
}

/** Finds the id of the user with this e-mail address, ignoring case. Considers only users of the caller's identity provider. */
export async function findUserIdByEmail(tx: Transaction, email: string): Promise<string | null> {
  const [row] = await query<{ id: string | null }>(tx, 'select app.find_user_by_email(:email) as id', { email });
  return row?.id ?? null;
}

/**
 * Counts the trackers that a user owns. Every write that makes the user an owner waits here for a lock, so that concurrent
 * requests cannot exceed the quota.
 */
export async function countOwnedTrackers(tx: Transaction, userId: string): Promise<number> {
  const [row] = await query<{ count: number }>(tx, 'select app.count_owned_trackers(:userId) as count', { userId });
  return row?.count ?? 0;
}

/** Updates the role of a member. */
export async function updateMemberRole(
  tx: Transaction,
  member: MembershipKey & { readonly role: Role },
): Promise<void> {
  await query(tx, 'update app.members set role = :role where tracker_id = :trackerId and user_id = :userId', {
    ...member,
  });
}

/** Deletes a membership. */
export async function deleteMember(tx: Transaction, key: MembershipKey): Promise<void> {
  await query(tx, 'delete from app.members where tracker_id = :trackerId and user_id = :userId', { ...key });
}

// Row-level security hides expired invitations from requests, so the statements on app.invitations do not check the expiry.

/** Lists the open invitations of the caller, the oldest first. */
export async function listInvitations(tx: Transaction): Promise<InvitationRow[]> {
  return query<InvitationRow>(tx, 'select * from app.open_invitations()', {});
}

/** Finds the role of an open invitation. */
export async function findInvitedRole(tx: Transaction, key: MembershipKey): Promise<Role | undefined> {
  const [row] = await query<{ role: Role }>(
    tx,
    'select role from app.invitations where tracker_id = :trackerId and user_id = :userId',
    { ...key },
  );
  return row?.role;
}

/**
 * Counts the open invitations of a user, in all trackers, and deletes expired ones. Requests that invite the same user wait here for
 * a lock, so that concurrent requests cannot exceed the quota.
 */
export async function countOpenInvitations(tx: Transaction, userId: string): Promise<number> {
  const [row] = await query<{ count: number }>(tx, 'select app.count_open_invitations(:userId) as count', { userId });
  return row?.count ?? 0;
}

/**
 * Inserts an invitation that expires after 30 days. The caller must hold the membership lock, and must have checked that the user is
 * neither a member nor invited.
 */
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

/** Updates the role of an invitation. */
export async function updateInvitationRole(
  tx: Transaction,
  invitation: MembershipKey & { readonly role: Role },
): Promise<void> {
  await query(tx, 'update app.invitations set role = :role where tracker_id = :trackerId and user_id = :userId', {
    ...invitation,
  });
}

/**
 * Deletes an invitation.
 * @returns false if there was no open invitation
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
 * Makes the caller a member with the role of the invitation, and puts the tracker into the transaction's context.
 * `app.carry_context()` sends this context to the workers of a sharded database. In a database without shards it does nothing.
 * @returns false if there was no open invitation
 */
export async function acceptInvitation(tx: Transaction, trackerId: string): Promise<boolean> {
  const [row] = await query<{ accepted: boolean }>(
    tx,
    'select app.accept_invitation(:trackerId) as accepted, app.carry_context()',
    { trackerId },
  );
  return row?.accepted === true;
}
