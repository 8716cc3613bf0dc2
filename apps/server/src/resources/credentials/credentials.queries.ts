import { assumeRole, query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import type { CredentialPlan, Membership } from './credentials.rules.js';
import type { CredentialRow } from './credentials.view.js';

const columns = `id, lineage_id, kind, name, scopes, access_mode, tracker_ids, default_tracker_id, secret_last4, expires_at, last_used_at,
  rotated_from, created_at, revoked_at`;

/** Lists the caller's credentials of the given kinds, the newest first, including expired and revoked ones. */
export async function listCredentials(
  tx: Transaction,
  owner: { readonly userId: string; readonly kinds: readonly CredentialRow['kind'][] },
): Promise<CredentialRow[]> {
  return query<CredentialRow>(
    tx,
    `select ${columns} from app.credentials where user_id = :userId and kind = any (:kinds)
     order by created_at desc, id desc`,
    owner,
  );
}

/**
 * Loads the facts for the decision on a new credential: the caller's memberships and the number of the caller's credentials that are
 * not revoked. A lock serializes the creation of credentials of one user, so that concurrent requests cannot exceed the quota.
 */
export async function loadCreateCredentialFacts(
  tx: Transaction,
  owner: { readonly userId: string },
): Promise<{
  readonly memberships: readonly Membership[];
  readonly unrevokedCount: number;
}> {
  await query(tx, `select pg_advisory_xact_lock(hashtextextended('credentials ' || cast(:userId as text), 4))`, owner);
  const [facts] = await query<{ memberships: Membership[]; unrevokedCount: number }>(
    tx,
    `select
       (select coalesce(json_agg(json_build_object('trackerId', m.tracker_id, 'role', m.role)), '[]')
        from app.members m where m.user_id = :userId) as memberships,
       (select count(*)::int from app.credentials c where c.user_id = :userId and c.revoked_at is null) as "unrevokedCount"`,
    owner,
  );
  return facts ?? { memberships: [], unrevokedCount: 0 };
}

/** Inserts a credential. Only the hash and the last four characters of its secret are stored. */
export async function insertCredential(
  tx: Transaction,
  credential: CredentialPlan & {
    readonly id: string;
    readonly userId: string;
    readonly kind: CredentialRow['kind'];
    readonly secretSha256: Buffer;
    readonly secretLast4: string;
    /** The id of the first credential of the rotation chain. The first credential has its own id here. */
    readonly lineageId: string;
    readonly rotatedFrom: string | null;
  },
): Promise<CredentialRow> {
  const [row] = await query<CredentialRow>(
    tx,
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, tracker_ids, default_tracker_id,
       secret_sha256, secret_last4, created_at, expires_at, rotated_from)
     values (:id, :userId, :lineageId, :kind, :name, :scopes, :accessMode, cast(:trackerIds as uuid[]), :defaultTrackerId,
       :secretSha256, :secretLast4, :createdAt, :expiresAt, :rotatedFrom)
     returning ${columns}`,
    { ...credential },
  );
  if (row === undefined) throw new Error('The insert of a credential returned no row');
  return row;
}

/** Finds the caller's credential with this id and one of these kinds, and locks its row against a concurrent rotation. */
export async function findCredential(
  tx: Transaction,
  key: { readonly userId: string; readonly id: string; readonly kinds: readonly CredentialRow['kind'][] },
): Promise<CredentialRow | undefined> {
  const [row] = await query<CredentialRow>(
    tx,
    `select ${columns} from app.credentials where id = :id and user_id = :userId and kind = any (:kinds) for update`,
    key,
  );
  return row;
}

/**
 * Revokes a credential. Every write request with the credential holds an advisory lock in shared mode (see app.enter_request). The
 * revocation takes the same lock exclusively, so it waits for open writes and blocks new ones. Like a write, it takes this lock before it
 * locks the row of the credential. With the opposite order, writes that change the row, such as a change of the credential's active
 * tracker, could deadlock with the revocation.
 * @returns false if the credential was already revoked; undefined if the caller has no credential with this id
 * @source docs/contract.md, section 8
 */
export async function revokeCredential(
  tx: Transaction,
  key: { readonly userId: string; readonly id: string; readonly kinds: readonly CredentialRow['kind'][] },
): Promise<boolean | undefined> {
  const found = await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(encode(secret_sha256, 'hex'), 1))
     from app.credentials where id = :id and user_id = :userId and kind = any (:kinds)`,
    key,
  );
  if (found.length === 0) return undefined;
  const rows = await query(
    tx,
    `update app.credentials set revoked_at = now() where id = :id and user_id = :userId and revoked_at is null returning id`,
    key,
  );
  return rows.length > 0;
}

/**
 * Switches the transaction of an operator's command to the database role of API requests, with this user as the caller. After the switch,
 * row-level security applies as in the user's own requests.
 * @returns the user's id, or undefined if no user has this e-mail address
 */
export async function actAsUser(tx: Transaction, user: { readonly email: string }): Promise<string | undefined> {
  await assumeRole(tx, 'centavo_app');
  const [found] = await query<{ id: string | null }>(tx, 'select app.find_user_by_email(:email) as id', user);
  const id = found?.id ?? undefined;
  if (id !== undefined) await query(tx, `select set_config('app.user_id', :id, true)`, { id });
  return id;
}
