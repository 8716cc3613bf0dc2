import type { Principal } from '../auth/principal.js';
import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';

/** The effect of a write, for the audit: an action on a resource and, for changes, each field before and after. */
export interface Effect {
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string;
  /** The tracker of the resource, or null for resources of a user: credentials and chosen trackers. */
  readonly trackerId: string | null;
  readonly change?: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
}

/** Inserts the audit row in the transaction of its effect. Audit rows are never changed or deleted. */
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
       (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id)
     values (:trackerId, :id, :userId, :credentialId, :action, :resourceType, :resourceId, cast(:change as jsonb), :requestId)`,
    { ...bindings, trackerId: effect.trackerId },
  );
}
