import type { Transaction } from '../../database/database.js';
import { assumeRole, query } from '../../database/query.js';
import type { CredentialPlan, Membership } from './credentials.rules.js';
import type { CredentialRow } from './credentials.view.js';

const columns = `id, lineage_id, kind, name, scopes, access_mode, tracker_ids, default_tracker_id, secret_last4, expires_at, last_used_at,
  rotated_from, created_at, revoked_at`;

/** The caller's credentials of some kinds, newest first; expired and revoked ones too. */
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
 * What the decision to create a credential needs: the caller's memberships and how many credentials are not revoked. The
 * lock makes creates of one user follow each other, so that two of them cannot both be the last.
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

/** Adds a credential; of its secret only the hash and the last four characters are kept. */
export async function insertCredential(
  tx: Transaction,
  credential: CredentialPlan & {
    readonly id: string;
    readonly userId: string;
    readonly kind: CredentialRow['kind'];
    readonly secretSha256: Buffer;
    readonly secretLast4: string;
    /** The first credential of its chain of rotations; its own id where it is the first. */
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
  if (row === undefined) throw new Error('A credential was inserted without a row');
  return row;
}

/** The caller's credential with this id if it is of one of `kinds`, locked against a rotation at the same moment. */
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
 * Revokes a credential: waits for the writes that it has begun, and lets none begin before it is revoked. They hold the
 * lock of its secret in its shared form (see app.enter_request). Source: contract, section 8.
 * @returns false when it was revoked before
 */
export async function revokeCredential(
  tx: Transaction,
  key: { readonly userId: string; readonly id: string },
): Promise<boolean> {
  await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(encode(secret_sha256, 'hex'), 1))
     from app.credentials where id = :id and user_id = :userId`,
    key,
  );
  const rows = await query(
    tx,
    `update app.credentials set revoked_at = now() where id = :id and user_id = :userId and revoked_at is null returning id`,
    key,
  );
  return rows.length > 0;
}

/**
 * Becomes the request role on behalf of a user, for the operator's commands: row-level security then holds as it would for
 * the user.
 * @returns the user's id, or undefined when nobody has this e-mail address
 */
export async function actAsUser(tx: Transaction, user: { readonly email: string }): Promise<string | undefined> {
  await assumeRole(tx, 'centavo_app');
  const [found] = await query<{ id: string | null }>(tx, 'select app.find_user_by_email(:email) as id', user);
  const id = found?.id ?? undefined;
  if (id !== undefined) await query(tx, `select set_config('app.user_id', :id, true)`, { id });
  return id;
}
