import {
  type ChainedEvent,
  type ChainPosition,
  findChainFault,
  genesisOf,
  saltedDigest,
} from '@centavo/contracts/calls';
import { AuditChainError } from './audit-chain-error.js';

const sha256 = async (bytes: Uint8Array) =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));

/**
 * Recomputes the hashes of events, compares them with the hashes in the events, and returns the position of the last event. Store the
 * position. In the next run, list the events after this position, and pass the position as `from`. The next run then verifies that its
 * events follow the last event of the earlier run. Redacted events, whose `change` and `salt` are null, are accepted.
 * @param events the events in ascending order, as `client.auditEvents.list({ order: 'asc' })` returns them
 * @param options.from the position before the first of the `events`; by default the beginning of the tracker's history. If there are no
 *   events, the function returns this position.
 * @throws AuditChainError for the first event whose sequence number is not the next number, whose hash differs from the recomputed hash,
 *   or whose `change` does not match its digest
 * @source docs/additions.md, section 4.3
 * @example
 * import { encodeEventCursor, verifyAuditChain } from '@centavo/sdk';
 *
 * const head = await verifyAuditChain(client.auditEvents.list({ order: 'asc' }), { trackerId });
 * console.log(`Verified ${head.sequence} events up to ${head.hash}`);
 *
 * const later = client.auditEvents.list({ order: 'asc', cursor: encodeEventCursor(head) });
 * await verifyAuditChain(later, { trackerId, from: head });
 */
export async function verifyAuditChain(
  events: Iterable<ChainedEvent> | AsyncIterable<ChainedEvent>,
  { trackerId, from }: { readonly trackerId: string; readonly from?: ChainPosition | undefined },
): Promise<ChainPosition> {
  const context = { trackerId, sha256 };
  let position = from;
  // If `events` comes from `client.auditEvents.list`, the first request has already been sent. The loop starts before any other
  // `await`, so that a failure of this request does not become an unhandled rejection.
  for await (const event of events) {
    position ??= await genesisOf(trackerId, sha256);
    const reason = await findChainFault(position, event, context);
    if (reason !== null) throw new AuditChainError({ sequence: event.sequence, eventId: event.id, reason });
    position = event;
  }
  const { sequence, hash } = position ?? (await genesisOf(trackerId, sha256));
  return { sequence, hash };
}

/**
 * Returns whether a record is in the state that it had directly after the given event; null if the event has no `stateDigest` or no
 * `salt`. For the newest event of the record, false means that the record was changed without an event. Works for movements, transfers
 * and categories: the server computes the `stateDigest` of their events from the record as the API returns it.
 * @example
 * import { matchesStateDigest } from '@centavo/sdk';
 *
 * const movement = await client.movements.get(movementId);
 * const [event] = (await client.auditEvents.list({ resourceType: 'movement', resourceId: movementId, limit: 1 })).data;
 * if (event !== undefined) console.log(await matchesStateDigest(movement, event));
 */
export async function matchesStateDigest(
  record: object,
  { salt, stateDigest }: Pick<ChainedEvent, 'salt' | 'stateDigest'>,
): Promise<boolean | null> {
  if (salt === null || stateDigest === null) return null;
  return (await saltedDigest(salt, record, sha256)) === stateDigest;
}
