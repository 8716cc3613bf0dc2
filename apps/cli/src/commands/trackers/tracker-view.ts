import type { Tracker } from '@centavo/sdk';
import type { RecordView } from '../../terminal/record-view.js';

export const trackerView: RecordView<Tracker> = {
  columns: [
    { header: 'NAME', value: (tracker) => tracker.name, flexible: true },
    { header: 'ROLE', value: (tracker) => tracker.role },
    { header: 'CURRENCY', value: (tracker) => tracker.currencyCode },
    { header: 'TIME ZONE', value: (tracker) => tracker.timeZone },
    { header: 'ACTIVE', value: (tracker) => (tracker.isActive ? 'yes' : '') },
    { header: 'ID', value: (tracker) => tracker.id },
  ],
  fields: ['id', 'name', 'role', 'currencyCode', 'timeZone', 'isActive', 'isDefault', 'createdAt', 'updatedAt'],
};
