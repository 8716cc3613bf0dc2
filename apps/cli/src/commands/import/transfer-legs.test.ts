import type { FinancialClient } from '@centavo/sdk';
import { expect, it } from 'vitest';
import { TransferLegs } from './transfer-legs.js';

const leg = {
  accountId: 'checking',
  type: 'expense',
  amountDecimal: '80.00',
  transferGroupId: 'group-1',
  description: 'Out [import 0123456789ab ba9876543210]',
};
const load = async () => {
  const list = async function* () {
    yield leg;
  };
  const legs = await TransferLegs.load({ movements: { list } } as unknown as FinancialClient);
  return (accountId: string, key: string, transferGroupId?: string) =>
    legs?.findAmount({
      target: { id: accountId, name: accountId, type: 'checking', currencyCode: 'EUR' },
      key,
      transaction: {
        direction: 'expense',
        amountDecimal: '80',
        currencyCode: null,
        occurredOn: '2026-01-13',
        description: null,
        merchantName: null,
        categoryName: null,
        accountName: null,
        statementId: null,
        ...(transferGroupId !== undefined && { transferGroupId }),
      },
    });
};
const key = '0123456789ab'.padEnd(64, '0');
const otherKey = 'f'.repeat(64);

it('a row is half of a transfer by its key in the mark, on its side and in the account of that half alone', async () => {
  const find = await load();
  expect(find('checking', key)).toBe('80');
  expect(find('savings', key)).toBeUndefined();
  expect(find('checking', 'ba9876543210'.padEnd(64, '0'))).toBeUndefined();
  expect(find('checking', otherKey)).toBeUndefined();
});

it('a row is half of a transfer by its group in the account of that half alone', async () => {
  const find = await load();
  expect(find('checking', otherKey, 'group-1')).toBe('80');
  expect(find('savings', otherKey, 'group-1')).toBeUndefined();
});
