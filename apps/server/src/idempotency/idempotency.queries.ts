import type { EffectiveTracker, Principal } from '../auth/principal.js';
import { StaleRead, violatedConstraint } from '../database/errors.js';
import type { Sweep } from '../database/hourly-sweeps.js';
import { assumeJobRole, query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import type { Effect } from './audit.queries.js';
import { digestsOf } from './event-digests.js';
import { isTrackerExplicit } from './replay.js';

const withAudit = `with audited as (
       insert into app.audit_events
         (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id, salt, change_digest,
           state_digest)
       values (cast(:trackerId as uuid), cast(:auditId as uuid), cast(:userId as uuid), cast(:credentialId as uuid), :action,
         :resourceType, :resourceId, cast(:change as jsonb), cast(:requestId as uuid), :salt, :changeDigest, :stateDigest)
     )`;

/**
 * Inserts the row of the idempotency key with the response and, if the write changed something, the audit row, in one statement. The
 * change and both rows are committed together.
 * @throws StaleRead when another request has recorded the key; the caller retries the transaction
 * @source docs/contract.md, section 6
 */
export async function recordKeyedWrite(
  tx: Transaction,
  entry: {
    readonly auditId: string;
    readonly effect: Effect | null;
    readonly principal: Principal;
    readonly tracker: EffectiveTracker;
    readonly requestId: string;
    readonly callName: string;
    readonly idempotencyKey: string;
    readonly fingerprint: Buffer;
    readonly etag: string | null;
    readonly data: unknown;
  },
): Promise<void> {
  const { effect, principal, tracker } = entry;
  await query(
    tx,
    `${effect === null ? '' : withAudit}
     insert into app.idempotency_keys
       (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, etag, data, request_id)
     values (cast(:trackerId as uuid), :root, :idempotencyKey, :trackerExplicit, :fingerprint, :callName, :etag,
       cast(:data as json), cast(:requestId as uuid))`,
    {
      trackerId: tracker.id,
      auditId: entry.auditId,
      userId: principal.userId,
      credentialId: principal.credentialId,
      action: effect?.action ?? '',
      resourceType: effect?.resourceType ?? '',
      resourceId: effect?.resourceId ?? '',
      change: effect?.change === undefined ? null : JSON.stringify(effect.change),
      ...digestsOf(effect ?? {}),
      requestId: entry.requestId,
      root: principal.root,
      idempotencyKey: entry.idempotencyKey,
      trackerExplicit: isTrackerExplicit(tracker),
      fingerprint: entry.fingerprint,
      callName: entry.callName,
      etag: entry.etag,
      data: JSON.stringify(entry.data),
    },
  ).catch((error: unknown) => {
    // Only a request that holds the lock of its key reaches this statement. Two requests can still insert the same key if a server of an
    // earlier version handles one of them, because such a server takes no lock if the key has a response in another tracker. The next
    // attempt of this transaction finds the response that the other request has stored.
    if (violatedConstraint(error) === 'idempotency_keys_pkey') throw new StaleRead();
    throw error;
  });
}

/**
 * Returns a list with the hourly job that deletes idempotency keys older than `retentionDays`; an empty list if `retentionDays` is null. If
 * a client retries a request whose key was deleted, the server executes the operation again.
 * @source docs/contract.md, section 6
 */
export function idempotencyKeySweeps(retentionDays: number | null): readonly Sweep[] {
  if (retentionDays === null) return [];
  const removeBatch: Sweep['removeBatch'] = async (tx, batch) => {
    await assumeJobRole(tx);
    const [row] = await query<{ removed: number }>(
      tx,
      'select app.forget_old_idempotency_keys(cast(:retentionDays as integer), cast(:batch as integer)) as removed',
      { retentionDays, batch },
    );
    return row?.removed ?? 0;
  };
  return [{ name: 'old idempotency keys', removeBatch }];
}
