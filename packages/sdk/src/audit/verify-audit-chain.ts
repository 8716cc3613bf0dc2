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
 * Recomputes the hashes of events, and returns the position of the last event. Store the position. In the next run, list the events
 * after this position, and pass the position as `from`. The next run then verifies that its events follow the last event of the
 * earlier run. Redacted events, which have no change and no salt, are accepted.
 * @param events ascending, as `client.auditEvents.list({ order: 'asc' })` returns them
 * @param options.from the position before the first of the `events`; by default the beginning of the tracker's history. If there are no
 *   events, the function returns this position.
 * @throws AuditChainError for the first event that does not follow from the events before it
 * @source additions, section 4.3
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
  // `events` may be a list whose first request has already been sent. The loop starts before any other `await`, so that a failure of
  // this request does not become an unhandled rejection.
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
 * Returns whether a record is unchanged since its last event; null for an event without `stateDigest` or `salt`. Works for
 * movements, transfers and categories: their `stateDigest` covers the record that the API returns.
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
