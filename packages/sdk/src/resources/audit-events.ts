import type { AuditEvent, AuditHead, SecurityEvent } from '@centavo/contracts';
import { calls } from '@centavo/contracts/calls';
import { ApiPromise } from '../answers/api-promise.js';
import type { ListPromise } from '../answers/list-promise.js';
import { sendList } from '../answers/send-list.js';
import type { CallOptions } from '../call-options.js';
import type { Send } from '../transport/call-request.js';

/**
 * Filters of the audit trail. All are optional.
 * @source docs/additions.md, section 4.2
 */
export interface AuditEventFilters {
  /** The type of the record that the event describes, such as `movement`. */
  readonly resourceType?: string | undefined;
  /** The id of the record that the event describes. Only together with `resourceType`. */
  readonly resourceId?: string | undefined;
  /** The id of the user or of the credential that acted. */
  readonly actorId?: string | undefined;
  /** A type of event, such as `movement.created`, or all types with a prefix, such as `movement.*`. */
  readonly type?: string | undefined;
  /** The first day in the tracker's time zone, `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined;
  /** The last day in the tracker's time zone, `YYYY-MM-DD`, inclusive. */
  readonly to?: string | undefined;
  /** The order of the events by sequence number. The server's default is `desc`. */
  readonly order?: 'desc' | 'asc' | undefined;
  /** The maximum number of events in a page, 1–200. The server's default is 50. */
  readonly limit?: number | undefined;
  /** The start of the page: `pagination.nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
}

/**
 * The audit trail of a tracker, for admins.
 * @source docs/additions.md, section 4
 * @example
 * for await (const event of client.auditEvents.list({ type: 'member.*' })) console.log(event.occurredAt, event.type);
 */
export class AuditEventsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists events, the newest first unless `order` is `asc`. `await` returns the first page, and iteration yields all events. With
   * a filter, a page may be empty although more events follow.
   * @throws CursorExpiredError if the server has removed events that follow the cursor
   * @throws CursorDivergedError if the history does not contain the event to which the cursor points
   * @example
   * const { data: events } = await client.auditEvents.list({ resourceType: 'movement', resourceId: movementId });
   * for (const { type, change } of events) console.log(type, change);
   */
  list(filters: AuditEventFilters = {}, options?: CallOptions): ListPromise<AuditEvent> {
    return sendList<AuditEvent>(this.#send, { call: calls.listAuditEvents, query: { ...filters }, options });
  }

  /**
   * Returns the sequence number and the hash of the newest event, as `sequence` and `hash`. Store both, to prove later that neither this
   * event nor an earlier event was changed. `floorSequence` and `floorHash` belong to the newest event that the server has removed.
   * @example const { sequence, hash } = await client.auditEvents.head();
   */
  head(options?: CallOptions): ApiPromise<AuditHead> {
    return new ApiPromise(this.#send<AuditHead>({ call: calls.getAuditHead, options }));
  }
}

/**
 * The events that belong to a user and not to a tracker. `list` requires a user session.
 * @source docs/additions.md, section 3.10
 * @example for await (const event of client.securityEvents.list()) console.log(event.occurredAt, event.type);
 */
export class SecurityEventsResource {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Lists, newest first, the events about credentials, new trackers, new user-wide categories, and the choice of the active or
   * default tracker.
   * @throws PermissionError (code `USER_SESSION_REQUIRED`) if the token is the secret of an API key or integration client
   * @example const { data: events } = await client.securityEvents.list({ limit: 10 });
   */
  list(
    page: { readonly limit?: number | undefined; readonly cursor?: string | undefined } = {},
    options?: CallOptions,
  ): ListPromise<SecurityEvent> {
    return sendList<SecurityEvent>(this.#send, { call: calls.listSecurityEvents, query: { ...page }, options });
  }
}
