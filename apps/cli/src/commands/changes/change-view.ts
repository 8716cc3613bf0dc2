import type { Change } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

export const changeView: RecordView<Change> = {
  columns: [
    { header: 'NUMBER', value: ({ sequence }) => String(sequence), align: 'right' },
    { header: 'TIME', value: ({ occurredAt }) => occurredAt },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'ID', value: ({ resource }) => resource.id },
    {
      header: 'FIELDS',
      value: ({ change }) => (change === null ? null : Object.keys(change).join(', ')),
      flexible: true,
      droppable: 'last',
    },
  ],
  fields: ['sequence', 'id', 'type', 'occurredAt', 'resource', 'actor', 'requestId', 'change', 'record', 'hash'],
};
