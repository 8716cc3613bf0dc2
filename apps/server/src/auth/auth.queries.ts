import type { Scope } from '@centavo/contracts';
import { assumeRole, query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { type EffectiveTracker, localDate } from './principal.js';

/** The stored response to an earlier request with the same idempotency key. */
export interface StoredAnswer {
  readonly trackerId: string;
  readonly trackerExplicit: boolean;
  /** Hexadecimal SHA-256. */
  readonly fingerprint: string;
  readonly requestId: string;
  readonly etag: string | null;
  readonly data: unknown;
}

/** Facts about a caller, read from the database. `requirePrincipal`, `decideAccess` and `decideReplay` base their decisions on them. */
export interface RequestFacts {
  readonly user: {
    readonly id: string;
    readonly email: string | null;
    readonly displayName: string | null;
    readonly activeTrackerId: string | null;
    readonly defaultTrackerId: string | null;
  } | null;
  /** Null if the session belongs to an external issuer, or if the credential is a secret (such as an API key), not a session token. */
  readonly sessionActive: boolean | null;
  readonly credential: {
    readonly id: string;
    readonly kind: 'secure' | 'legacy' | 'integration_client';
    readonly name: string;
    readonly scopes: readonly Scope[];
    readonly activeTrackerId: string | null;
    readonly defaultTrackerId: string | null;
    readonly expiresAt: string;
    readonly isExpired: boolean;
    readonly isRevoked: boolean;
  } | null;
  readonly principalRoot: string;
  readonly eligibleTrackerIds: readonly string[];
  readonly chosenTrackerId: string | null;
  readonly tracker: EffectiveTracker | null;
  readonly storedAnswers: readonly StoredAnswer[];
  /** True: this transaction holds the lock of the idempotency key. False: another transaction holds it. Null: no key or no tracker. */
  readonly keyLocked: boolean | null;
}

/**
 * Switches to the role `centavo_app`, opens the request context and returns the facts about the caller. One statement authenticates the
 * caller, sets the context for row-level security and looks up the idempotency key. For a write, the statement also takes the locks that
 * make revocation linearizable. Locks and context end with the transaction, so nothing remains on a pooled connection.
 * @param request.isAlone true if no statement follows; a read-only transaction then sends COMMIT in the same batch
 * @param request.afterSend called synchronously after the statement is queued. Statements that this callback queues are sent in the
 *   same batch. They run afterwards, with the same role and context
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
): Promise<RequestFacts> {
  const { isAlone = false, afterSend, ...bindings } = request;
  const [, [row]] = await Promise.all([
    // Connections to the embedded PostgreSQL start with this role if only one process serves the API. Then no statement needs to set the
    // role, which saves about a tenth of the time of a read.
    tx.initialRole === 'centavo_app' ? undefined : assumeRole(tx, 'centavo_app'),
    query<{ facts: Omit<RequestFacts, 'tracker'> & { tracker?: TrackerRow | null } }>(
      tx,
      `select app.enter_request(:secretSha256, :issuer, :subject, cast(:sessionId as uuid), cast(:trackerId as uuid), :isWrite,
         :idempotencyKey) as facts, app.carry_context()`,
      bindings,
      { isLastRead: isAlone, afterSend },
    ),
  ]);
  if (row === undefined) throw new Error('app.enter_request returned no row');
  const { facts } = row;
  return { ...facts, tracker: facts.tracker == null ? null : withTime(facts.tracker) };
}

type TrackerRow = Omit<EffectiveTracker, 'now' | 'today'> & { readonly nowMs: number };

/**
 * Returns the tracker with the current time and the date in the tracker's time zone. Both are formatted on access, because most reads
 * do not use them.
 */
function withTime(tracker: TrackerRow): EffectiveTracker {
  const { id, name, role, currencyCode, timeZone, resolvedBy, nowMs } = tracker;
  return {
    id,
    name,
    role,
    currencyCode,
    timeZone,
    resolvedBy,
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
    query<{ is_enough: boolean }>(
      tx,
      `select app.enter_replica(cast(:userId as uuid), cast(:trackerId as uuid), :principalRoot, cast(:readAfter as pg_lsn))
         as is_enough`,
      reading,
      { answerMsMax: 1_000 },
    ),
  ]);
  return row?.is_enough === true;
}

/** Records the use of a credential, at most once a minute across all servers. */
export async function recordCredentialUse(tx: Transaction, credentialId: string): Promise<void> {
  await Promise.all([
    assumeRole(tx, 'centavo_app'),
    query(tx, 'select app.note_credential_use(:credentialId)', { credentialId }, { answerMsMax: 2_000 }),
  ]);
}
