import type { Role, Scope } from '@centavo/contracts';
import { formatTimestamp } from '../database/format-timestamp.js';
import { assumeRole, query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { type EffectiveTracker, localDate, type Principal } from './principal.js';

/** The stored response to an earlier request with the same idempotency key. */
export interface StoredAnswer {
  readonly trackerId: string;
  /** False if that request fell back to the active or default tracker. */
  readonly trackerExplicit: boolean;
  /** Hexadecimal SHA-256. */
  readonly fingerprint: string;
  readonly requestId: string;
  readonly etag: string | null;
  readonly data: unknown;
}

type CredentialKind = NonNullable<Principal['kind']>;

/** Facts about a caller, read from the database. `requirePrincipal`, `decideAccess` and `decideReplay` base their decisions on them. */
export interface RequestFacts {
  /** The user of the session, or the owner of the credential. */
  readonly userId: string;
  /** The name of the credential; for a session, the name, e-mail address or id of the user. */
  readonly name: string;
  /** The active tracker of the credential; for a session, the active tracker of the user. */
  readonly activeTrackerId: string | null;
  /** The default tracker of the credential; for a session, the default tracker of the user. */
  readonly defaultTrackerId: string | null;
  /**
   * Whether the session has neither ended nor expired. Null if the session belongs to an external issuer, or if the caller uses a secret,
   * such as an API key, instead of a session.
   */
  readonly sessionActive: boolean | null;
  readonly credential: {
    readonly id: string;
    readonly kind: CredentialKind;
    readonly scopes: readonly Scope[];
    readonly expiresAt: string;
    readonly isExpired: boolean;
    readonly isRevoked: boolean;
  } | null;
  /** The owner of the caller's idempotency keys (see `Principal.root`). */
  readonly principalRoot: string;
  /** The trackers in which the caller may send requests. */
  readonly eligibleTrackerIds: readonly string[];
  /** Null if no tracker was selected, or if the caller may not use it. */
  readonly tracker: EffectiveTracker | null;
  /** The responses that are stored under the idempotency key, in any tracker. */
  readonly storedAnswers: readonly StoredAnswer[];
  /**
   * True: this transaction holds the lock of the idempotency key. False: another transaction holds the lock. Null: the request has no key
   * or no tracker.
   */
  readonly keyLocked: boolean | null;
}

/**
 * Switches to the role `centavo_app`, opens the request context and returns the facts about the caller. One statement authenticates the
 * caller, sets the context for row-level security and looks up the idempotency key. For a write, the statement also takes the locks that
 * make revocation linearizable. Locks and context end with the transaction, so nothing remains on a pooled connection. If Citus distributes
 * the tables, `app.carry_context` sends the context to the other PostgreSQL servers; otherwise it does nothing.
 * @param request.isAlone true if no other statement follows in this transaction; the COMMIT of a read-only transaction is then sent
 *   together with the statement
 * @param request.afterSend called synchronously after the statement is queued. Statements that this callback queues are sent in the
 *   same batch. They run afterwards, with the same role and context
 * @returns null if the user or the secret is unknown
 */
export async function openRequestContext(
  tx: Transaction,
  request: {
    readonly secretSha256: Buffer | null;
    readonly issuer: string | null;
    readonly subject: string | null;
    readonly sessionId: string | null;
    readonly trackerId: string | null;
    readonly isWrite: boolean;
    readonly idempotencyKey: string | null;
    readonly isAlone?: boolean;
    readonly afterSend?: (() => void) | undefined;
  },
): Promise<RequestFacts | null> {
  const { isAlone = false, afterSend, ...bindings } = request;
  const [, [row]] = await Promise.all([
    // Connections to the embedded PostgreSQL start with the role `centavo_app` if only one process serves the API. Then no statement needs
    // to set the role, which saves about a tenth of the time of a read.
    tx.initialRole === 'centavo_app' ? undefined : assumeRole(tx, 'centavo_app'),
    query<{ facts: FactsRow | null }>(
      tx,
      `select app.enter_request(:secretSha256, :issuer, :subject, cast(:sessionId as uuid), cast(:trackerId as uuid), :isWrite,
         :idempotencyKey) as facts, app.carry_context()`,
      bindings,
      { isLastRead: isAlone, afterSend },
    ),
  ]);
  if (row === undefined) throw new Error('app.enter_request returned no row');
  return row.facts === null ? null : toFacts(row.facts);
}

/** The JSON that `app.enter_request` returns for a known caller. */
interface FactsRow {
  readonly caller: CallerRow;
  readonly tracker: TrackerRow | null;
  readonly storedAnswers: readonly StoredAnswer[];
  readonly keyLocked: boolean | null;
}

type CallerRow = {
  readonly user_id: string;
  readonly name: string;
  readonly active_tracker_id: string | null;
  readonly default_tracker_id: string | null;
  readonly session_active: boolean | null;
  readonly root: string;
  readonly eligible: readonly string[];
} & (
  | { readonly credential_id: null }
  | {
      readonly credential_id: string;
      readonly kind: CredentialKind;
      readonly scopes: readonly Scope[];
      readonly expires_at: string;
      readonly is_expired: boolean;
      readonly is_revoked: boolean;
    }
);

interface TrackerRow {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly currency_code: string;
  readonly time_zone: string;
  readonly now_ms: number;
  readonly resolved_by: EffectiveTracker['resolvedBy'];
}

function toFacts({ caller, tracker, storedAnswers, keyLocked }: FactsRow): RequestFacts {
  return {
    userId: caller.user_id,
    name: caller.name,
    activeTrackerId: caller.active_tracker_id,
    defaultTrackerId: caller.default_tracker_id,
    sessionActive: caller.session_active,
    credential: toCredential(caller),
    principalRoot: caller.root,
    eligibleTrackerIds: caller.eligible,
    tracker: tracker === null ? null : toEffectiveTracker(tracker),
    storedAnswers,
    keyLocked,
  };
}

function toCredential(caller: CallerRow): RequestFacts['credential'] {
  if (caller.credential_id === null) return null;
  return {
    id: caller.credential_id,
    kind: caller.kind,
    scopes: caller.scopes,
    expiresAt: formatTimestamp(caller.expires_at),
    isExpired: caller.is_expired,
    isRevoked: caller.is_revoked,
  };
}

/**
 * Converts a tracker row to the tracker of the request. `now` and `today` are formatted on access, because most requests that only read
 * do not use them.
 */
function toEffectiveTracker(row: TrackerRow): EffectiveTracker {
  const { now_ms: nowMs, time_zone: timeZone } = row;
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    currencyCode: row.currency_code,
    timeZone,
    resolvedBy: row.resolved_by,
    get now() {
      return new Date(nowMs).toISOString();
    },
    get today() {
      return localDate(nowMs, timeZone);
    },
  };
}

/**
 * Switches to the role `centavo_app` on a replica and sets the context for row-level security until the transaction ends. The
 * primary has already authenticated the caller.
 * @returns true if the replica may answer: it is a standby without Citus, has replayed the write-ahead log up to `readAfter`, and contains
 *   the caller's membership. If false, no context is set
 */
export async function openReplicaContext(
  tx: Transaction,
  reading: {
    readonly userId: string;
    readonly trackerId: string;
    readonly principalRoot: string;
    readonly readAfter: string;
  },
): Promise<boolean> {
  const [, [row]] = await Promise.all([
    assumeRole(tx, 'centavo_app'),
    query<{ may_answer: boolean }>(
      tx,
      `select app.enter_replica(cast(:userId as uuid), cast(:trackerId as uuid), :principalRoot, cast(:readAfter as pg_lsn))
         as may_answer`,
      reading,
      { answerMsMax: 1_000 },
    ),
  ]);
  return row?.may_answer === true;
}

/** Records the use of a credential, at most once a minute across all servers. */
export async function recordCredentialUse(tx: Transaction, credentialId: string): Promise<void> {
  await Promise.all([
    assumeRole(tx, 'centavo_app'),
    query(tx, 'select app.note_credential_use(:credentialId)', { credentialId }, { answerMsMax: 2_000 }),
  ]);
}
