import type { FinancialClient, Movement } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';
import type { CommandContext } from '../shared/context.js';
import { namesOf } from '../shared/resolve-id.js';

/**
 * Returns the view of movements. A table shows the names of accounts and categories, for which two requests are sent; the
 * other formats print the API's records. If the credential may not read names, the table shows ids.
 */
export async function loadMovementView(
  context: CommandContext,
  client: FinancialClient,
): Promise<RecordView<Movement>> {
  if (context.printer.format !== 'table') return movementView(new Map());
  const [accounts, categories] = await Promise.all([
    namesOf(client.accounts.list()),
    namesOf(client.categories.list()),
  ]);
  return movementView(new Map([...accounts, ...categories]));
}

function movementView(names: ReadonlyMap<string, string>): RecordView<Movement> {
  const nameOf = (id: string | null) => (id === null ? null : (names.get(id) ?? id));
  return {
    columns: [
      { header: 'DATE', value: (movement) => movement.occurredOn },
      { header: 'TYPE', value: ({ type, voidedAt }) => (voidedAt ? `${type} (voided)` : type) },
      { header: 'AMOUNT', value: (movement) => movement.amountDecimal, align: 'right' },
      { header: 'CURRENCY', value: (movement) => movement.currencyCode, droppable: 'last' },
      {
        header: 'DESCRIPTION',
        value: ({ merchantName, description }) =>
          [merchantName, description].filter((text) => text !== null).join(' · '),
        flexible: true,
        roomy: true,
      },
      {
        header: 'CATEGORY',
        // A leg of a transfer has no category. The cell shows `(transfer)` to explain this.
        value: ({ kind, categoryId }) => (kind === 'transfer' ? '(transfer)' : nameOf(categoryId)),
        flexible: true,
        droppable: 'last',
      },
      { header: 'ACCOUNT', value: (movement) => nameOf(movement.accountId), flexible: true, droppable: 'last' },
      { header: 'ID', value: (movement) => movement.id, droppable: true },
    ],
    fields: [
      'id',
      'trackerId',
      'type',
      'kind',
      'amountDecimal',
      'currencyCode',
      'accountId',
      'cashboxId',
      'categoryId',
      'occurredOn',
      'description',
      'merchantName',
      'transferGroupId',
      'externalId',
      'source',
      'version',
      'voidedAt',
      'createdAt',
      'updatedAt',
    ],
  };
}
