import type { Category } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

/** Returns the view of categories; `names` are the names of parent categories by id. */
export function categoryView(names: ReadonlyMap<string, string>): RecordView<Category> {
  return {
    columns: [
      { header: 'NAME', value: (category) => category.name, flexible: true },
      { header: 'KIND', value: (category) => category.kind },
      { header: 'SCOPE', value: (category) => category.scope, droppable: 'last' },
      { header: 'STATUS', value: (category) => category.status, droppable: 'last' },
      {
        header: 'PARENT',
        value: ({ parentId }) => (parentId === null ? null : (names.get(parentId) ?? parentId)),
        flexible: true,
        droppable: 'last',
      },
      { header: 'ID', value: (category) => category.id, droppable: true },
    ],
    fields: ['id', 'name', 'kind', 'scope', 'trackerId', 'parentId', 'isUnknown', 'status', 'createdAt', 'updatedAt'],
  };
}
