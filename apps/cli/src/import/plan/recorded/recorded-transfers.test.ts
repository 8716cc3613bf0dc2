import type { FinancialClient } from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../../../test-support/import-in-test.js';
import { balancesOf, paid, writeRows } from '../../../../test-support/pairs-in-test.js';
import { RecordedTransfers } from './recorded-transfers.js';

const bench = ImportBench.setUp();

describe('a row of a recorded transfer', () => {
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
    const transfers = await RecordedTransfers.load({ movements: { list } } as unknown as FinancialClient, {
      withVoided: false,
    });
    return (accountId: string, key: string, transferGroupId?: string) =>
      transfers?.findLeg({
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
      })?.amountDecimal;
  };
  const key = '0123456789ab'.padEnd(64, '0');
  const otherKey = 'f'.repeat(64);

  it('is recognized if the description of a leg in its account contains the beginning of its idempotency key', async () => {
    const find = await load();
    expect(find('checking', key)).toBe('80');
    expect(find('savings', key)).toBeUndefined();
    expect(find('checking', 'ba9876543210'.padEnd(64, '0'))).toBeUndefined();
    expect(find('checking', otherKey)).toBeUndefined();
  });

  it('is recognized if a leg in its account has its transfer group', async () => {
    const find = await load();
    expect(find('checking', otherKey, 'group-1')).toBe('80');
    expect(find('savings', otherKey, 'group-1')).toBeUndefined();
  });
});

const cheque = '01/22/2026,,554.99,debit,,Checking';

/** Records a transfer by hand with the same account, direction, amount and day as a row. */
async function transferByHand(...flags: string[]): Promise<void> {
  for (const name of ['Checking', 'Platinum Card']) bench.api.addAccount({ name });
  const sides = ['--from-account', 'Checking', '--to-account', 'Platinum Card'];
  const transfer = ['transfers', 'add', '--amount', '554.99', ...sides, '--occurred-on', '2026-01-22', ...flags];
  expect(await bench.machine.run(transfer)).toMatchObject({ code: 0 });
}

describe('a transfer entered by hand', () => {
  it('makes the import of a row without a text exit 6 if day and amount are equal; --record-again records the row', async () => {
    await transferByHand();
    const path = await writeRows(cheque);
    expect(await bench.importing(path, ...creating)).toMatchObject({ code: 6, stdout: '' });
    const run = await bench.importing(path, ...creating, '--record-again');
    expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 0 });
    expect(balancesOf(bench.api)).toEqual([-1109.98, 554.99]);
  });

  it.each(['Card Payment', 'Card Payment (arrived 2026-01-24)', 'Card Payment [import 2026-01-22]'])(
    'makes the import of a row with a similar text exit 6; --record-again records the row: %s',
    async (description) => {
      await transferByHand('--description', description);
      const path = await writeRows(paid);
      expect(await bench.importing(path, ...creating)).toMatchObject({ code: 6, stdout: '' });
      const run = await bench.importing(path, ...creating, '--record-again');
      expect(summaryOf(run)).toMatchObject({ created: 1, replayed: 0 });
    },
  );
});

describe('a transfer of two rows without texts', () => {
  const arrival = '01/22/2026,,554.99,credit,,Platinum Card';

  it('is recognized in later imports of its rows, but matches no third row with the same day and amount', async () => {
    const pairing = [...creating, '--pair-transfers'];
    expect(summaryOf(await bench.importing(await writeRows(cheque, arrival), ...pairing))).toMatchObject({
      created: 2,
    });
    for (const rows of [[cheque], [arrival], [arrival, cheque]]) {
      const run = await bench.importing(await writeRows(...rows), ...pairing);
      expect(summaryOf(run)).toMatchObject({ created: 0, replayed: rows.length });
    }
    expect(summaryOf(await bench.importing(await writeRows(cheque, cheque), ...creating))).toMatchObject({
      created: 1,
      replayed: 1,
    });
    const other = cheque.replace(',,554.99', ',Cheque 319,554.99');
    const again = await bench.importing(await writeRows(other), ...creating, '--record-again');
    expect(summaryOf(again)).toMatchObject({ created: 1 });
    expect(balancesOf(bench.api)).toEqual([-1664.97, 554.99]);
  });
});
