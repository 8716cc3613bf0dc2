import type { Tracker } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

export const trackerView: RecordView<Tracker> = {
  columns: [
    { header: 'NAME', value: (tracker) => tracker.name, flexible: true },
    { header: 'ROLE', value: (tracker) => tracker.role },
    { header: 'CURRENCY', value: (tracker) => tracker.currencyCode, droppable: 'last' },
    { header: 'TIME ZONE', value: (tracker) => tracker.timeZone, droppable: 'last' },
    { header: 'ACTIVE', value: (tracker) => (tracker.isActive ? 'yes' : ''), droppable: 'last' },
    { header: 'DEFAULT', value: (tracker) => (tracker.isDefault ? 'yes' : ''), droppable: 'last' },
    { header: 'ID', value: (tracker) => tracker.id, droppable: true },
  ],
  fields: ['id', 'name', 'role', 'currencyCode', 'timeZone', 'isActive', 'isDefault', 'createdAt', 'updatedAt'],
};
