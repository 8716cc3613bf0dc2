import type { Account, Cashbox } from '@centavo/sdk';
import type { RecordView } from '../../ui/table.js';

export const accountView: RecordView<Account> = {
  columns: [
    { header: 'NAME', value: (account) => account.name, flexible: true },
    { header: 'TYPE', value: (account) => account.type, droppable: 'last' },
    { header: 'CURRENCY', value: (account) => account.currencyCode },
    { header: 'STATUS', value: (account) => account.status, droppable: 'last' },
    {
      header: 'CASHBOXES',
      value: (account) => String(account.eligibleCashboxCount),
      align: 'right',
      droppable: 'last',
    },
    { header: 'ID', value: (account) => account.id, droppable: true },
  ],
  fields: [
    'id',
    'trackerId',
    'name',
    'type',
    'currencyCode',
    'status',
    'eligibleCashboxCount',
    'createdAt',
    'updatedAt',
  ],
};

export const cashboxView: RecordView<Cashbox> = {
  columns: [
    { header: 'NAME', value: (cashbox) => cashbox.name, flexible: true },
    { header: 'CURRENCY', value: (cashbox) => cashbox.currencyCode },
    { header: 'STATUS', value: (cashbox) => cashbox.status, droppable: 'last' },
    { header: 'ELIGIBLE', value: (cashbox) => (cashbox.isEligible ? 'yes' : 'no'), droppable: 'last' },
    { header: 'ID', value: (cashbox) => cashbox.id, droppable: true },
  ],
  fields: ['id', 'accountId', 'trackerId', 'name', 'currencyCode', 'isEligible', 'status', 'createdAt', 'updatedAt'],
};
