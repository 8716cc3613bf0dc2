import type { AuditEvent, SecurityEvent } from '@centavo/sdk';
import type { Column, RecordView } from '../../ui/table.js';

type AnyEvent = Pick<SecurityEvent, 'id' | 'occurredAt' | 'actor' | 'change'> & {
  readonly type: string;
  readonly resource: { readonly type: string; readonly id: string };
};

const columns: readonly Column<AnyEvent>[] = [
  { header: 'TIME', value: ({ occurredAt }) => occurredAt.slice(0, 19).replace('T', ' ') },
  { header: 'EVENT', value: ({ type }) => type },
  { header: 'RECORD', value: ({ resource }) => `${resource.type} ${resource.id}`, droppable: 'last' },
  { header: 'BY', value: ({ actor }) => describeActor(actor), droppable: 'last' },
  { header: 'CHANGE', value: ({ change }) => describeChange(change), flexible: true, droppable: 'last' },
];

const fields = ['id', 'type', 'occurredAt', 'resource', 'actor', 'requestId', 'change'] as const;

/** The view of the security events of a user. */
export const securityEventView: RecordView<SecurityEvent> = { columns, fields };

/** The view of the audit events of a tracker, with the number of each event. */
export const auditEventView: RecordView<AuditEvent> = {
  columns: [{ header: 'NUMBER', align: 'right', value: ({ sequence }) => String(sequence) }, ...columns],
  fields: [
    'sequence',
    ...fields,
    'userId',
    'credentialId',
    'previousHash',
    'hash',
    'changeDigest',
    'stateDigest',
    'salt',
  ],
};

function describeActor({ type, id }: AnyEvent['actor']): string {
  return id === null ? type : `${type.replaceAll('_', ' ')} ${id}`;
}

function describeChange(change: AnyEvent['change']): string | null {
  if (change === null) return null;
  return Object.entries(change)
    .map(([field, [before, after]]) => `${field}: ${before ?? 'none'} → ${after ?? 'none'}`)
    .join(', ');
}
