import type { Role } from '@centavo/contracts';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { MemberFacts } from './context.rules.js';
import type { InvitationRow, MemberRow } from './context.view.js';

/** A user's place in a tracker, as a member or as invited. */
export interface MembershipKey {
  readonly trackerId: string;
  readonly userId: string;
}

// Invited users are those of the transaction's tracker. Row-level security hides the rest of a user until they accept.
const membersAndInvited = `(
    select m.user_id, u.email, u.display_name, m.role, 'active' as status, m.created_at, u.created_at as registered_at
    from app.members m join app.users u on u.id = m.user_id
    where m.tracker_id = :trackerId
    union all
    select user_id, email, display_name, role, 'invited', created_at, registered_at from app.invited_users()
  ) m`;

/** The members of a tracker and the users invited to it, the oldest membership or invitation first. */
export async function listMembers(tx: Transaction, trackerId: string): Promise<MemberRow[]> {
  return query<MemberRow>(tx, `select m.* from ${membersAndInvited} order by m.created_at, m.user_id`, { trackerId });
}

/** The member or invited user, and how many active owners the tracker has; undefined for a user who is neither. */
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
 * Holds a membership or an invitation until the transaction ends, so that inviting, accepting, changing and removing follow each
 * other. It also waits for the user's own writes in the tracker: each holds the shared form of this lock (see
 * app.enter_request), so nothing commits under a role that was already taken away.
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
 * Holds the owners of a tracker until the transaction ends, so that two of them cannot leave at once, each counting on the
 * other. Asked after {@link lockMembership}, because a write that waits for the tracker's row holds its membership already.
 */
export async function lockOwners(tx: Transaction, trackerId: string): Promise<void> {
  // Weaker than `for update`, which would hold up every row that is added to the tracker.
  await query(tx, 'select id from app.trackers where id = :trackerId for no key update', { trackerId });
}

/** The user with this e-mail address, whatever its case, or null; nothing else of a stranger is shown. */
export async function findUserIdByEmail(tx: Transaction, email: string): Promise<string | null> {
  const [row] = await query<{ id: string | null }>(tx, 'select app.find_user_by_email(:email) as id', { email });
  return row?.id ?? null;
}

/**
 * How many trackers a user owns, which counts against their limit. Whatever makes the user an owner waits here, so that two
 * requests cannot both be the last.
 */
export async function countOwnedTrackers(tx: Transaction, userId: string): Promise<number> {
  const [row] = await query<{ count: number }>(tx, 'select app.count_owned_trackers(:userId) as count', { userId });
  return row?.count ?? 0;
}

/** Gives a member another role. */
export async function updateMemberRole(
  tx: Transaction,
  member: MembershipKey & { readonly role: Role },
): Promise<void> {
  await query(tx, 'update app.members set role = :role where tracker_id = :trackerId and user_id = :userId', {
    ...member,
  });
}

/** Ends a membership. */
export async function deleteMember(tx: Transaction, key: MembershipKey): Promise<void> {
  await query(tx, 'delete from app.members where tracker_id = :trackerId and user_id = :userId', { ...key });
}

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
