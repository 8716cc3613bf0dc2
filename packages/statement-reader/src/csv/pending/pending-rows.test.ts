import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = 'Date,Name,Type,Status,Currency,Net,Transaction ID,Reference Txn ID';

describe('a pending row', () => {
  const withBalances = [
    `${headers},Balance`,
    '2024-03-13,Shop,Payment,Completed,EUR,-20.00,A1,,-20.00',
    '2024-03-13,,Bank Deposit to PP Account,Pending,EUR,20.00,A2,A1,0.00',
    '2024-03-14,Hotel,Authorization,Pending,EUR,-50.00,A4,,0.00',
    '2024-03-15,Shop,Payment,Completed,EUR,-7.00,A3,,-7.00',
  ];
  const expected = ['2024-03-13 -20 EUR', '2024-03-13 +20 EUR', 'line 4 skipped: it is pending', '2024-03-15 -7 EUR'];

  it('is recorded if the balance includes it, in a file with the oldest row first', async () => {
    const { rows, interpretation } = await readExport(withBalances);
    expect(rows).toEqual(expected);
    expect(interpretation.pending).toBe('the balance includes line 3, so it is booked');
  });

  it('is recorded if the balance includes it, in a file with the newest row first', async () => {
    const { rows } = await readExport([withBalances[0] as string, ...withBalances.slice(1).reverse()]);
    expect(rows).toEqual([
      '2024-03-15 -7 EUR',
      'line 3 skipped: it is pending',
      '2024-03-13 +20 EUR',
      '2024-03-13 -20 EUR',
    ]);
  });

  it('is compared only with balances in its own currency', async () => {
    const other = '2024-03-13,Shop,Payment,Completed,USD,-3.00,B1,,-3.00';
    const { rows } = await readExport([...withBalances.slice(0, 2), other, ...withBalances.slice(2)]);
    expect(rows.slice(2, 4)).toEqual(['2024-03-13 +20 EUR', 'line 5 skipped: it is pending']);
  });

  it('is skipped in a file without balances if it is the bank deposit that funds a completed payment, which is recorded', async () => {
    const { rows, interpretation } = await readExport(withBalances.map((line) => line.replace(/,[^,]*$/, '')));
    expect(rows[0]).toBe('2024-03-13 -20 EUR');
    expect(rows[1]).toBe('line 3 skipped: it is pending');
    expect(interpretation.pending).toBeUndefined();
  });
});

describe('the void of an authorization', () => {
  const authorization = '2024-03-13,Hotel,General Authorization,Pending,EUR,-50.00,A1,';
  const other = '2024-03-15,Shop,Payment,Completed,EUR,-7.00,A3,';
  const voidRow = '2024-03-14,Hotel,Void of Authorization,Completed,EUR,50.00,A2,A1';

  it.each([
    ['after', [authorization, voidRow, other], 3, 2],
    ['before', [other, voidRow, authorization], 3, 4],
  ])(
    'is skipped like the authorization if its row is %s the row of the authorization',
    async (_, lines, line, authorizationLine) => {
      const { rows, interpretation } = await readExport([headers, ...lines]);
      expect(rows).toContain(`line ${line} skipped: it reverses line ${authorizationLine}, which is skipped`);
      expect(rows).toContain(`line ${authorizationLine} skipped: it is pending`);
      expect(rows).toContain('2024-03-15 -7 EUR');
      expect(interpretation.pending).toBe(`line ${line} reverses line ${authorizationLine}`);
    },
  );

  it('is recognized without ids by the type "Reversal", the text of the authorization and the opposite amount', async () => {
    const { rows } = await readExport([
      'Date,Description,Type,Status,Amount',
      '2024-03-13,Hotel,Hold,Pending,-50.00',
      '2024-03-14,Hotel,Reversal,Completed,50.00',
      '2024-03-15,Shop,Payment,Completed,-7.00',
    ]);
    expect(rows[1]).toBe('line 3 skipped: it reverses line 2, which is skipped');
  });

  it('is recognized without ids and without a text by the type "Reversal" and the opposite amount', async () => {
    const { rows } = await readExport([
      'Date,Name,Type,Status,Amount',
      '2024-03-13,Hotel,General Authorization,Pending,-50.00',
      '2024-03-13,Hotel,General Authorization,Pending,-50.00',
      '2024-03-14,,Reversal of General Account Hold,Completed,50.00',
      '2024-03-15,Shop,Payment,Completed,-7.00',
    ]);
    expect(rows.slice(2)).toEqual(['line 4 skipped: it reverses line 2, which is skipped', '2024-03-15 -7']);
  });

  it.each([
    ['a capture of the authorization', '2024-03-14,Hotel,Payment,Completed,EUR,-50.00,A2,A1', '2024-03-14 -50 EUR'],
    ['a partial refund', '2024-03-14,Hotel,Refund,Completed,EUR,20.00,A2,A1', '2024-03-14 +20 EUR'],
    ['a void in another currency', '2024-03-14,Hotel,Void,Completed,USD,50.00,A2,A1', '2024-03-14 +50 USD'],
    ['a void of another row', '2024-03-14,Hotel,Void,Completed,EUR,50.00,A2,A9', '2024-03-14 +50 EUR'],
  ])('is not assumed for %s', async (_, line, recorded) => {
    const { rows } = await readExport([headers, authorization, line, other]);
    expect(rows).toEqual(['line 2 skipped: it is pending', recorded, '2024-03-15 -7 EUR']);
  });

  it('is recorded if the balance includes it', async () => {
    const { rows } = await readExport([
      `${headers},Balance`,
      '2024-03-12,Shop,Payment,Completed,EUR,-7.00,A3,,-7.00',
      `${authorization},-7.00`,
      `${voidRow},43.00`,
    ]);
    expect(rows[2]).toBe('2024-03-14 +50 EUR');
  });
});

describe('a row that releases a hold', () => {
  it('is skipped if its description is that of the hold plus a word for a reversal, such as "release"', async () => {
    const { rows } = await readExport([
      'Date,Description,Status,Amount',
      '2024-03-13,Hold: Hotel,Pending,-10.00',
      '2024-03-14,Hold release Hotel,Completed,10.00',
      '2024-03-15,Hotel,Completed,-10.00',
    ]);
    expect(rows.slice(1)).toEqual(['line 3 skipped: it reverses line 2, which is skipped', '2024-03-15 -10 Hotel']);
  });
});

describe('a column of flags for pending rows', () => {
  const lines = ['date,name,amount,pending', '2024-03-13,Shop,-20.00,False', '2024-03-14,Hotel,-50.00,True'];

  it('causes the marked rows to be skipped', async () => {
    const { rows, interpretation } = await readExport(lines);
    expect(rows).toEqual(['2024-03-13 -20', 'line 3 skipped: it is pending']);
    expect(interpretation['pending flag']).toBe('column "pending"');
    expect(interpretation['not used']).toBeUndefined();
  });

  it('does not cause a row to be skipped if the balance includes the row', async () => {
    const [header = '', ...others] = lines;
    const balances = ['80.00', '30.00'];
    const { rows } = await readExport([`${header},balance`, ...others.map((line, row) => `${line},${balances[row]}`)]);
    expect(rows).toEqual(['2024-03-13 -20', '2024-03-14 -50']);
  });
});
