import { headerNames, returnsReadAfter } from '@centavo/contracts';
import type { EffectiveTracker, Principal } from '../auth/principal.js';
import type { Transaction } from '../database/transaction.js';
import { type Effect, recordAudit } from '../idempotency/audit.queries.js';
import { requestFingerprint } from '../idempotency/fingerprint.js';
import { recordKeyedWrite } from '../idempotency/idempotency.queries.js';
import { type ItemRecords, recordEachItem, recordItems } from '../idempotency/items.queries.js';
import type { Outcome } from './endpoint.js';
import type { Authorized, Operation } from './operation.js';

/** A write under an idempotency key. */
export interface KeyedWrite {
  readonly idempotencyKey: string;
  readonly tracker: EffectiveTracker;
  /** Hash of method, route, path parameters, tracker and body. A replay must have the same hash. */
  readonly fingerprint: Buffer;
}

/** Returns the keyed write of a request; undefined if the request has no idempotency key or no tracker. */
export function toKeyedWrite({ request }: Operation, { access, valid }: Authorized): KeyedWrite | undefined {
  const { idempotencyKey, body } = valid;
  const { tracker } = access;
  if (idempotencyKey === null || tracker === null) return undefined;
  const { call } = request.endpoint.route;
  const { pathParameters } = request;
  const route = call.base + call.path;
  const fingerprint = requestFingerprint({ method: call.method, route, pathParameters, trackerId: tracker.id, body });
  return { idempotencyKey, tracker, fingerprint };
}

/**
 * Defers the statements that record the audit rows and, for keyed writes, the responses. The transaction sends these statements with
 * COMMIT.
 */
export function recordOutcome(
  { server, request }: Operation,
  done: {
    readonly tx: Transaction;
    readonly outcome: Outcome;
    readonly write: KeyedWrite | undefined;
    readonly principal: Principal;
    readonly tracker: EffectiveTracker | null;
  },
): void {
  const { tx, outcome, write, principal } = done;
  const { requestId } = request;
  const { effect, furtherEffects = [] } = outcome;
  const items = outcome.items ?? itemsOf({ effect, furtherEffects, tracker: done.tracker });
  const callName = request.endpoint.route.call.name;
  if (items !== undefined) {
    if (items.effects.length === 0) return;
    const answer = write === undefined ? [] : [{ ...write, callName, etag: outcome.etag ?? null, data: outcome.data }];
    const record = { ...items, answers: [...items.answers, ...answer], principal, requestId, newId: server.newId };
    tx.sendWithCommit(() => (server.isSharded ? recordEachItem(tx, record) : recordItems(tx, record)));
    return;
  }
  // For a keyed write, one statement of `recordKeyedWrite` records the key and the response. If the audit event belongs to a tracker, the
  // same statement records the event. `recordAudit` records the other events: those of a user, and those of a write without a key.
  const isOfUser = effect?.trackerId === null;
  if (effect !== undefined && (write === undefined || isOfUser)) {
    tx.sendWithCommit(() => recordAudit(tx, { id: server.newId(), effect, principal, requestId }));
  }
  if (write !== undefined) {
    const record = {
      auditId: server.newId(),
      effect: isOfUser ? null : (effect ?? null),
      principal,
      requestId,
      callName,
      etag: outcome.etag ?? null,
      data: outcome.data,
      ...write,
    };
    tx.sendWithCommit(() => recordKeyedWrite(tx, record));
  }
}

/** Returns the effects to record as audit events if a write changes several records of a tracker; undefined for any other write. */
function itemsOf(write: {
  readonly effect: Effect | undefined;
  readonly furtherEffects: readonly Effect[];
  readonly tracker: EffectiveTracker | null;
}): ItemRecords | undefined {
  const { effect, furtherEffects, tracker } = write;
  if (effect === undefined || furtherEffects.length === 0 || tracker === null) return undefined;
  return { tracker, effects: [effect, ...furtherEffects], answers: [], replayed: new Set() };
}

/**
 * Returns a function that adds the header `Centavo-Read-After` to the response of a write. The value of the header is the position in the
 * write-ahead log that a replica must reach before it serves a later read. Returns undefined if the server has no replica, or if the
 * responses of the operation do not have this header.
 */
export function readAfterHeaderSetter({ server, request }: Operation): ((position: string) => void) | undefined {
  if (server.replica === null || !returnsReadAfter(request.endpoint.route.call)) return undefined;
  return (position) => request.addHeaders({ [headerNames.readAfter]: position });
}
