import type { FinancialClient, Transfer } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';
import type { CommandContext } from '../shared/context.js';
import { namesOf } from '../shared/resolve-id.js';

/**
 * Returns the view of transfers. A table shows the names of accounts, so this function requests the accounts. The other
 * formats print the API's records, which contain only the ids of accounts.
 */
export async function loadTransferView(
  { printer }: CommandContext,
  client: FinancialClient,
): Promise<RecordView<Transfer>> {
  const names = printer.format === 'table' ? await namesOf(client.accounts.list()) : new Map<string, string>();
  return {
    columns: [
      { header: 'DATE', value: (transfer) => transfer.occurredOn },
      {
        header: 'AMOUNT',
        value: ({ amountDecimal, voidedAt }) => (voidedAt ? `${amountDecimal} (voided)` : amountDecimal),
      },
      { header: 'CURRENCY', value: (transfer) => transfer.currencyCode },
      { header: 'DESCRIPTION', value: (transfer) => transfer.description },
      { header: 'FROM ACCOUNT', value: ({ from }) => names.get(from.accountId) ?? from.accountId },
      { header: 'TO ACCOUNT', value: ({ to }) => names.get(to.accountId) ?? to.accountId },
      { header: 'OUTGOING', value: ({ from }) => from.movementId },
      { header: 'INCOMING', value: ({ to }) => to.movementId },
      { header: 'ID', value: (transfer) => transfer.groupId },
    ],
    fields: [
      'groupId',
      'trackerId',
      'amountDecimal',
      'currencyCode',
      'occurredOn',
      'description',
      'from',
      'to',
      'movements',
      'voidedAt',
      'createdAt',
    ],
  };
}
