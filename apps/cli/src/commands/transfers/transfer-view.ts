import type { Transfer } from '@centavo/sdk';
import type { RecordView } from '../../terminal/record-view.js';

export const transferView: RecordView<Transfer> = {
  columns: [
    { header: 'DATE', value: (transfer) => transfer.occurredOn },
    { header: 'AMOUNT', value: (transfer) => transfer.amountDecimal, align: 'right' },
    { header: 'CURRENCY', value: (transfer) => transfer.currencyCode },
    { header: 'DESCRIPTION', value: (transfer) => transfer.description, flexible: true },
    { header: 'FROM ACCOUNT', value: (transfer) => transfer.from.accountId },
    { header: 'TO ACCOUNT', value: (transfer) => transfer.to.accountId },
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
    'createdAt',
  ],
};
