import type { Role } from '@centavo/contracts';
import type { Transaction } from '../../database/database.js';
import { query } from '../../database/query.js';
import type { MemberFacts } from './change-membership.js';
import type { MemberRow } from './member-view.js';

/** A user's place in a tracker. */
interface MembershipKey {
  readonly trackerId: string;
  readonly userId: string;
}

const columns = 'm.user_id, u.email, u.display_name, m.role, m.created_at';

/** The members of a tracker, the oldest membership first. */
export async function listMembers(tx: Transaction, trackerId: string): Promise<MemberRow[]> {
  return query<MemberRow>(
    tx,
    `select ${columns} from app.members m join app.users u on u.id = m.user_id
     where m.tracker_id = :trackerId
     order by m.created_at, m.user_id`,
    { trackerId },
  );
}

/** The member, and how many owners the tracker has; undefined for who is not a member. */
export async function findMember(tx: Transaction, key: MembershipKey): Promise<MemberFacts | undefined> {
  const [row] = await query<MemberFacts>(
    tx,
    `select ${columns},
       (select count(*)::int from app.members o where o.tracker_id = :trackerId and o.role = 'owner') as owner_count
     from app.members m join app.users u on u.id = m.user_id
     where m.tracker_id = :trackerId and m.user_id = :userId`,
    { ...key },
  );
  return row;
}

/**
 * Holds a membership until the transaction ends. First against the user's own writes in the tracker: each holds the shared
 * form of this lock (see app.enter_request), so nothing commits under a role that was already taken away. Then the tracker's
 * row, so that two owners cannot leave at once, each counting on the other; in this order, because a write that waits for the
 * row holds the shared lock already.
 */
export async function holdMembership(tx: Transaction, key: MembershipKey): Promise<void> {
  await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(
       cast(cast(:trackerId as uuid) as text) || ' ' || cast(cast(:userId as uuid) as text), 2))`,
    { ...key },
  );
  // Weaker than `for update`, which would hold up every row that is added to the tracker.
  await query(tx, 'select id from app.trackers where id = :trackerId for no key update', { trackerId: key.trackerId });
}

/** The user with this e-mail address, whatever its case, or null; nothing else of a stranger is shown. */
export async function findUserIdByEmail(tx: Transaction, email: string): Promise<string | null> {
  const [row] = await query<{ id: string | null }>(tx, 'select app.find_user_by_email(:email) as id', { email });
  return row?.id ?? null;
}

/** Adds a member; the database refuses a second membership of one user (`members_pkey`). */
export async function insertMember(tx: Transaction, member: MembershipKey & { readonly role: Role }): Promise<void> {
  await query(tx, 'insert into app.members (tracker_id, user_id, role) values (:trackerId, :userId, :role)', {
    ...member,
  });
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
