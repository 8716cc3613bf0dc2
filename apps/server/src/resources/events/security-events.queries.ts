import { type SecurityEvent, securityEventTypes } from '@centavo/contracts';
import { query } from '../../database/query.js';
import type { Transaction } from '../../database/transaction.js';

/** A row of an event that belongs to a user and to no tracker. */
export interface SecurityEventRow {
  readonly id: string;
  readonly occurred_at: string;
  readonly user_id: string;
  readonly credential_id: string | null;
  readonly action: SecurityEvent['type'];
  readonly resource_type: SecurityEvent['resource']['type'];
  readonly resource_id: string;
  readonly change: SecurityEvent['change'];
  readonly request_id: string;
}

/** The position after which a page begins. */
export interface SecurityEventPosition {
  /** RFC 3339 with milliseconds. */
  readonly occurredAt: string;
  readonly id: string;
}

/** Lists the user's security events, newest first. Returns one event more than `limit` if there is another page. */
export async function listSecurityEvents(
  tx: Transaction,
  page: { readonly userId: string; readonly after: SecurityEventPosition | undefined; readonly limit: number },
): Promise<SecurityEventRow[]> {
  const { userId, after, limit } = page;
  return query<SecurityEventRow>(
    tx,
    `select id, occurred_at, user_id, credential_id, action, resource_type, resource_id, change, request_id
     from app.user_audit_events
     where user_id = cast(:userId as uuid) and action = any (cast(:types as text[]))
       ${after === undefined ? '' : 'and (occurred_at, id) < (cast(:occurredAt as timestamptz(3)), cast(:id as uuid))'}
     order by occurred_at desc, id desc
     limit cast(:rows as integer)`,
    { userId, types: securityEventTypes, rows: limit + 1, ...after },
    { isLastRead: true },
  );
}
