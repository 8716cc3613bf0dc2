import type { Change, ChangedRecord, EventResourceType } from '@centavo/contracts';
import type { EventRow } from './event-page.queries.js';

/** Converts an event and its record to the API's change. */
export function toChangeView(event: EventRow, record: ChangedRecord | null): Change {
  return {
    sequence: event.sequence,
    id: event.id,
    type: event.type,
    occurredAt: event.occurredAt,
    resource: { type: event.resourceType as EventResourceType, id: event.resourceId },
    actor: toActorView(event),
    requestId: event.requestId,
    change: event.change,
    record,
    hash: event.hash,
  };
}

/** Returns the actor of an event: the credential, otherwise the user, otherwise the system. */
export function toActorView({ userId, credentialId }: Pick<EventRow, 'userId' | 'credentialId'>): Change['actor'] {
  if (credentialId !== null) return { type: 'integration_client', id: credentialId };
  return userId === null ? { type: 'system', id: null } : { type: 'user', id: userId };
}
