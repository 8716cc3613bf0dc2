import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';
import type { AuthenticationMethod } from './authentication-methods.js';

/** The columns of a session that determine the claims of its access tokens. */
export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  /** The authentication methods that the user completed, newest first. */
  readonly amr: readonly AuthenticationMethod[];
  readonly expiresAt: Date;
}

/** Adds a session with its first refresh token, in one statement. */
export async function insertSession(
  tx: Transaction,
  session: SessionRow & { readonly createdAt: Date; readonly refreshTokenSha256: Buffer },
): Promise<void> {
  const { amr, ...columns } = session;
  await query(
    tx,
    `with opened as (
       insert into identity.sessions (id, user_id, amr, created_at, expires_at)
       values (:id, :userId, cast(:amr as jsonb), :createdAt, :expiresAt)
       returning id, created_at
     )
     insert into identity.refresh_tokens (token_sha256, session_id, created_at)
     select :refreshTokenSha256, id, created_at from opened`,
    { ...columns, amr: JSON.stringify(amr) },
  );
}

/** A refresh token and its session. */
export interface RefreshFacts {
  readonly session: SessionRow;
  readonly isUsed: boolean;
  readonly isEnded: boolean;
  readonly totpEnrolled: boolean;
}

/**
 * Finds and locks a refresh token, so that concurrent uses run one at a time. Also locks the session, so that no other transaction can
 * end it until this one commits. Without the lock of the session, a token could be issued for an ended session.
 */
export async function lockRefreshToken(tx: Transaction, tokenSha256: Buffer): Promise<RefreshFacts | undefined> {
  const [row] = await query<{
    id: string;
    user_id: string;
    amr: AuthenticationMethod[];
    expires_at: string;
    is_used: boolean;
    is_ended: boolean;
    totp_enrolled: boolean;
  }>(
    tx,
    `select s.id, s.user_id, s.amr, s.expires_at, r.used_at is not null as is_used, s.ended_at is not null as is_ended,
       exists (select 1 from identity.totp t where t.user_id = s.user_id and t.secret is not null) as totp_enrolled
     from identity.refresh_tokens r join identity.sessions s on s.id = r.session_id
     where r.token_sha256 = :tokenSha256
     for update of r for share of s`,
    { tokenSha256 },
  );
  if (row === undefined) return undefined;
  return {
    session: { id: row.id, userId: row.user_id, amr: row.amr, expiresAt: new Date(row.expires_at) },
    isUsed: row.is_used,
    isEnded: row.is_ended,
    totpEnrolled: row.totp_enrolled,
  };
}

/** Consumes a refresh token, which the caller has locked, and stores its successor. */
export async function replaceRefreshToken(
  tx: Transaction,
  tokens: { readonly usedSha256: Buffer; readonly newSha256: Buffer; readonly now: Date },
): Promise<void> {
  await query(
    tx,
    `with used as (
       update identity.refresh_tokens set used_at = :now where token_sha256 = :usedSha256 and used_at is null
       returning session_id
     )
     insert into identity.refresh_tokens (token_sha256, session_id, created_at) select :newSha256, session_id, :now from used`,
    tokens,
  );
}

/**
 * Waits for the writes in progress under a session, and then ends the session. No write commits under the session after this transaction,
 * because every write holds a lock until COMMIT. The identity operations lock the row of the session. All other writes take a shared
 * advisory lock on the session during their authentication.
 * @source docs/contract.md, section 8
 */
export async function endSessionRow(
  tx: Transaction,
  session: { readonly sessionId: string; readonly now: Date },
): Promise<void> {
  // The key of the advisory lock is a hash of the ID's text. The casts to uuid and back convert the ID to its canonical form, because
  // app.enter_request hashes that form for the shared lock.
  await query(tx, 'select pg_advisory_xact_lock(hashtextextended(cast(cast(:sessionId as uuid) as text), 1))', {
    sessionId: session.sessionId,
  });
  await query(tx, 'update identity.sessions set ended_at = :now where id = :sessionId and ended_at is null', session);
}

/** Ends the active sessions of a user except the session `sessionId`. Returns the ids of the ended sessions. */
export async function endOtherSessions(
  tx: Transaction,
  kept: { readonly userId: string; readonly sessionId: string; readonly now: Date },
): Promise<readonly string[]> {
  const rows = await query<{ id: string }>(
    tx,
    `update identity.sessions set ended_at = :now
     where user_id = :userId and id <> :sessionId and ended_at is null and expires_at > :now
     returning id`,
    kept,
  );
  return rows.map(({ id }) => id);
}

/**
 * Waits until the transactions that write under the given sessions have ended. Each of these transactions holds a shared lock on its
 * session until the transaction ends. The caller has already committed the end of the sessions, so no other write begins under them.
 */
export async function waitForWrites(tx: Transaction, sessionIds: readonly string[]): Promise<void> {
  await query(
    tx,
    `select pg_advisory_xact_lock(hashtextextended(cast(id as text), 1)) from unnest(cast(:sessionIds as uuid[])) as id`,
    { sessionIds: [...sessionIds].sort() },
  );
}

/**
 * Returns the session if it is active, and locks it, so that no other transaction can end it until this one commits. The operations for
 * one-time codes call this function, because the transaction that authenticated the request has released its locks. Without the lock of
 * this function, their writes could commit after the session has ended.
 */
export async function lockActiveSession(
  tx: Transaction,
  key: { readonly sessionId: string; readonly userId: string; readonly now: Date },
): Promise<SessionRow | undefined> {
  const [row] = await query<{ id: string; user_id: string; amr: AuthenticationMethod[]; expires_at: string }>(
    tx,
    `select id, user_id, amr, expires_at from identity.sessions
     where id = :sessionId and user_id = :userId and ended_at is null and expires_at > :now
     for no key update`,
    key,
  );
  return row && { id: row.id, userId: row.user_id, amr: row.amr, expiresAt: new Date(row.expires_at) };
}

/** Stores the authentication methods of a session. The caller has locked the row of the session. */
export async function updateSessionMethods(
  tx: Transaction,
  session: { readonly sessionId: string; readonly amr: readonly AuthenticationMethod[] },
): Promise<void> {
  await query(tx, 'update identity.sessions set amr = cast(:amr as jsonb) where id = :sessionId', {
    sessionId: session.sessionId,
    amr: JSON.stringify(session.amr),
  });
}
