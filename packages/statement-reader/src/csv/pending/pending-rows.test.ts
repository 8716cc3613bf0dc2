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

describe('a reversal in an export of PayPal', () => {
  const header = 'Date,Name,Type,Status,Amount';
  const authorization = '2024-03-13,Etsy,General Authorization,Pending,-50.00';
  const payment = '2024-03-15,Etsy,Express Checkout Payment,Completed,-50.00';
  const reversal = '2024-03-15,,Reversal of General Account Hold,Completed,50.00';
  const read = async (...lines: string[]) => (await readExport([header, ...lines])).rows;

  it('is recorded together with a completed hold, and does not reverse the pending authorization', async () => {
    const hold = '2024-03-13,,Account Hold for Open Authorization,Completed,-50.00';
    expect(await read(authorization, hold, reversal, payment)).toEqual([
      'line 2 skipped: it is pending',
      '2024-03-13 -50',
      '2024-03-15 +50',
      '2024-03-15 -50',
    ]);
  });

  it.each([
    ['Account Hold for Open Authorization', 'Reversal of General Account Hold'],
    ['Einbehaltung für offene Autorisierung', 'Rückbuchung allgemeiner Einbehaltung'],
    ['Retención de cuenta para autorización abierta', 'Cancelación de retención de cuenta general'],
    ['Blocage de compte pour autorisation ouverte', 'Annulation du blocage de compte général'],
  ])('is skipped with a pending hold: %s and %s', async (hold, type) => {
    const rows = await read(`2024-03-13,,${hold},Pending,-50.00`, `2024-03-15,,${type},Completed,50.00`, payment);
    expect(rows.slice(1)).toEqual(['line 3 skipped: it reverses line 2, which is skipped', '2024-03-15 -50']);
  });

  it.each([
    ['"General Authorization"', '2024-03-15,Etsy,General Authorization,Completed,-50.00'],
    ['"Void of Authorization"', '2024-03-15,Hotel,Void of Authorization,Completed,120.00'],
  ])('and an authorization change no balance, so a row with the completed type %s is skipped', async (type, line) => {
    expect(await read(payment, line)).toEqual([
      '2024-03-15 -50',
      `line 3 skipped: it does not change the balance (${type})`,
    ]);
  });
});

describe('the holds of an export of PayPal with ids', () => {
  const header = 'Date,Name,Type,Status,Amount,Transaction ID,Reference Txn ID';
  const final = [
    '2024-03-20,,Account Hold for Open Authorization,Completed,-25.00,T1,A1',
    '2024-03-21,,Reversal of General Account Hold,Completed,25.00,T2,T1',
  ];
  const pending = [
    '2024-03-22,,Account Hold for Open Authorization,Pending,-25.00,T4,A4',
    '2024-03-23,,Reversal of General Account Hold,Completed,25.00,T5,T4',
  ];

  it.each([
    ['oldest', [...final, ...pending]],
    ['newest', [...final, ...pending].toReversed()],
  ])('are reversed by the rows that refer to them, with the %s row first', async (_order, lines) => {
    for (const file of [lines, lines.map((line) => line.replace(/T\d,[TA]\d$/, ','))]) {
      const { rows } = await readExport([header, ...file]);
      expect(rows.filter((row) => row.startsWith('2024')).toSorted()).toEqual(['2024-03-20 -25', '2024-03-21 +25']);
    }
  });

  it('are recorded if the reversal refers to their authorization', async () => {
    const { rows } = await readExport([
      header,
      '2024-03-20,Shop,General Authorization,Pending,-25.00,A1,',
      final[0] as string,
      '2024-03-21,,Reversal of General Account Hold,Completed,25.00,T2,A1',
    ]);
    expect(rows).toEqual(['line 2 skipped: it is pending', '2024-03-20 -25', '2024-03-21 +25']);
  });

  it.each([
    ['Autorisation générale', 'Impact sur le solde', 'Mémo', 'Débit'],
    ['Annullierung der Autorisierung', 'Auswirkung auf Guthaben', 'Memo', 'Soll'],
  ])('are no transactions if their balance impact is a memo: %s', async (type, impact, memo, debit) => {
    const { rows } = await readExport([
      `Date,Name,Type,Status,Amount,${impact}`,
      `2024-03-20,Shop,${type},Completed,-25.00,${memo}`,
      `2024-03-22,Shop,Payment,Completed,-25.00,${debit}`,
    ]);
    expect(rows[0]).toBe(`line 2 skipped: it does not change the balance ("${type}")`);
    expect(rows[1]).toMatch(/^2024-03-22 -25/);
  });
});

describe('a booked reversal beside a pending row without a word for a hold', () => {
  const pending = '2024-03-20,Monthly fee,-12.00,Pending';
  const reversal = '2024-03-20,Monthly fee reversal,12.00,Posted';

  it('fails, because it may also reverse a payment of an earlier file', async () => {
    const { rows } = await readExport(['Date,Description,Amount,Status', pending, reversal]);
    expect(rows[1]).toBe(
      'line 3 failure: it may reverse line 2, which is pending: record it manually if it changed the balance of the account',
    );
  });

  it('is recorded if the balance includes it', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Status,Balance',
      '2024-03-18,SHELL,-5.00,Posted,105.00',
      '2024-03-19,KROGER,-5.00,Posted,100.00',
      `${pending},`,
      `${reversal},112.00`,
      '2024-03-22,KROGER,-5.00,Posted,107.00',
    ]);
    expect(rows[3]).toBe('2024-03-20 +12 Monthly fee reversal');
  });
});

describe('a refund of a booked payment', () => {
  it.each([
    ['is older than the pending payment', '2024-03-14', '2024-03-16'],
    ['is newer than the pending payment', '2024-03-16', '2024-03-14'],
  ])(
    'is recorded beside a pending payment of the same amount and text if it %s',
    async (_case, refundDay, pendingDay) => {
      const { rows } = await readExport([
        'Date,Description,Status,Amount',
        '2024-03-13,Booking.com,Posted,-150.00',
        `${refundDay},Booking.com cancellation,Posted,150.00`,
        `${pendingDay},Booking.com,Pending,-150.00`,
      ]);
      expect(rows).toEqual([
        '2024-03-13 -150 Booking.com',
        `${refundDay} +150 Booking.com cancellation`,
        'line 4 skipped: it is pending',
      ]);
    },
  );

  it('is recorded beside a pending authorization of another payment', async () => {
    const { rows } = await readExport([
      'Date,Name,Type,Status,Amount',
      '2024-03-13,Shop A,Payment,Completed,-20.00',
      '2024-03-16,,Payment Reversal,Completed,20.00',
      '2024-03-15,Shop B,General Authorization,Pending,-20.00',
    ]);
    expect(rows).toEqual(['2024-03-13 -20', '2024-03-16 +20', 'line 4 skipped: it is pending']);
  });
});
