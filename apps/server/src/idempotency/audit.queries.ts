import type { Principal } from '../auth/principal.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';
import { digestsOf } from './event-digests.js';

/** The audited effect of a write: an action on a resource and, for a change, the old and new value of each changed field. */
export interface Effect {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /**
   * The tracker of the event. Null for an event that belongs to a user: a change of a credential, of the active tracker or of the default
   * tracker, a new user-wide category, `tracker.created` and `invitation.declined`.
   */
  readonly trackerId: string | null;
  /** The changed fields, with the names and the amount format of the API. */
  readonly change?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The record after the write, for the hash chain. Source: docs/additions.md, section 4.1 */
  readonly state?: object;
}

/**
 * Inserts the event in the transaction that makes the change. An event of a tracker gets its sequence number later, from
 * `app.number_events`.
 */
export async function recordAudit(
  tx: Transaction,
  entry: { readonly id: string; readonly effect: Effect; readonly principal: Principal; readonly requestId: string },
): Promise<void> {
  const { effect, principal } = entry;
  const bindings = {
    id: entry.id,
    userId: principal.userId,
    credentialId: principal.credentialId,
    action: effect.action,
    resourceType: effect.resourceType,
    resourceId: effect.resourceId,
    change: effect.change === undefined ? null : JSON.stringify(effect.change),
    requestId: entry.requestId,
  };
  if (effect.trackerId === null) {
    await query(
      tx,
      `insert into app.user_audit_events
         (user_id, id, credential_id, action, resource_type, resource_id, change, request_id)
       values (:userId, :id, :credentialId, :action, :resourceType, :resourceId, cast(:change as jsonb), :requestId)`,
      bindings,
    );
    return;
  }
  await query(
    tx,
    `insert into app.audit_events
       (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id, salt, change_digest,
         state_digest)
     values (:trackerId, :id, :userId, :credentialId, :action, :resourceType, :resourceId, cast(:change as jsonb), :requestId,
       :salt, :changeDigest, :stateDigest)`,
    { ...bindings, ...digestsOf(effect), trackerId: effect.trackerId },
  );
}
