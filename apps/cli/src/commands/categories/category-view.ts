import type { Category } from '@centavo/sdk';
import type { RecordView } from '../../terminal/record-view.js';

export const categoryView: RecordView<Category> = {
  columns: [
    { header: 'NAME', value: (category) => category.name, flexible: true },
    { header: 'KIND', value: (category) => category.kind },
    { header: 'SCOPE', value: (category) => category.scope },
    { header: 'STATUS', value: (category) => category.status },
    { header: 'PARENT', value: (category) => category.parentId },
    { header: 'ID', value: (category) => category.id },
  ],
  fields: ['id', 'name', 'kind', 'scope', 'trackerId', 'parentId', 'isUnknown', 'status', 'createdAt', 'updatedAt'],
};
