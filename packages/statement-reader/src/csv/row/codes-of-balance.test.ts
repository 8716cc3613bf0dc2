import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = 'Date,Narration,Amount,Balance,Dr/Cr';
const overdrawn = [
  '13/03/2026,ATM WDL,20.00,520.00,DR',
  '14/03/2026,POS SHOP,30.00,550.00,DR',
  '17/03/2026,CASH DEP,100.00,450.00,DR',
  '18/03/2026,POS FUEL,50.00,500.00,DR',
];
const unknown = (line: number) =>
  expect.stringMatching(new RegExp(`^line ${line} failure: .*the previous balance is unknown`));

describe('a column of debit/credit codes directly to the right of the balance', () => {
  it('belongs to the balance if the account is overdrawn, and the balance rises and falls while the code stays the same', async () => {
    const { rows, interpretation, question } = await readExport([headers, ...overdrawn]);
    expect(rows).toEqual([
      unknown(2),
      '2026-03-14 -30 POS SHOP',
      '2026-03-17 +100 CASH DEP',
      '2026-03-18 -50 POS FUEL',
    ]);
    expect(interpretation).toMatchObject({
      signs: 'there are none: the balance column shows the direction',
      'balance sign': 'the words of column "Dr/Cr"',
      balance: 'the balance column agrees on 3 of 3 rows',
    });
    expect(question?.requiresOption).not.toBe(true);
    const newestFirst = await readExport([headers, ...overdrawn.toReversed()]);
    expect(newestFirst.rows.slice(0, 3)).toEqual(rows.slice(1).toReversed());
  });

  it('belongs to the balance if all codes are "CR" while the balance rises and falls, or if they change when it falls below zero', async () => {
    const credit = [
      '13/03/2026,ATM,20.00,520.00,CR',
      '14/03/2026,CASH DEP,100.00,620.00,CR',
      '15/03/2026,SHOP,30.00,590.00,CR',
    ];
    expect((await readExport([headers, ...credit])).rows.slice(1)).toEqual([
      '2026-03-14 +100 CASH DEP',
      '2026-03-15 -30 SHOP',
    ]);
    const both = [
      '13/03/2026,ATM,20.00,20.00,CR',
      '14/03/2026,SHOP,30.00,10.00,DR',
      '15/03/2026,CASH DEP,50.00,40.00,CR',
    ];
    expect((await readExport([headers, ...both])).rows.slice(1)).toEqual([
      '2026-03-14 -30 SHOP',
      '2026-03-15 +50 CASH DEP',
    ]);
  });

  it('belongs to the amounts if the balances fit them', async () => {
    const lines = [
      headers,
      '13/03/2026,ATM,20.00,480.00,DR',
      '14/03/2026,CASH DEP,100.00,580.00,CR',
      '15/03/2026,SHOP,30.00,550.00,DR',
    ];
    const { rows, interpretation, question } = await readExport(lines);
    expect(rows).toEqual(['2026-03-13 -20 ATM', '2026-03-14 +100 CASH DEP', '2026-03-15 -30 SHOP']);
    expect(interpretation.signs).toBe('the words of column "Dr/Cr" decide the direction');
    expect(question?.requiresOption).not.toBe(true);
  });

  it.each([
    ['"CR" and the balance falls', 'CR', [500, 480, 450]],
    ['"DR" and the balance falls', 'DR', [500, 480, 450]],
  ])('needs an option if all codes are %s, because both readings are possible', async (_, code, balances) => {
    const amounts = ['10.00', '20.00', '30.00'];
    const rows = balances.map((balance, row) => `${13 + row}/03/2026,SHOP,${amounts[row]},${balance}.00,${code}`);
    const { question } = await readExport([headers, ...rows]);
    expect(question).toEqual({
      message:
        'The words of the column "Dr/Cr" are the same in all rows, and may belong to the balance to its left instead of the amounts.',
      remedy:
        'If they belong to the balance, use --direction-column "". If they belong to the amounts, use --direction-column "Dr/Cr".',
      requiresOption: true,
    });
    const named = await readExport([headers, ...rows], { columns: { direction: 'Dr/Cr' } });
    expect(named.rows[1]).toBe(`2026-03-14 ${code === 'CR' ? '+' : '-'}20 SHOP`);
    expect(named.question?.requiresOption).not.toBe(true);
  });

  it('is named in the remedy if a row is missing, and the file is refused with --direction-column ""', async () => {
    const lines = [headers, ...overdrawn.filter((row) => !row.includes('POS SHOP')), '19/03/2026,TAXI,10.00,510.00,DR'];
    const { question } = await readExport(lines);
    expect(question?.message).toContain(
      'The balance column may be that of a debt. If it is, it contradicts 1 of 4 rows',
    );
    expect(question?.remedy).toBe(
      'If the words of the column "Dr/Cr" belong to the balance, use --direction-column "". Otherwise, look for a missing row, a row that is in the file twice, or a wrong column, or accept the amounts with --ignore-balance.',
    );
    await expect(readExport(lines, { columns: { direction: '' } })).rejects.toThrow(
      'the balance column contradicts line 3',
    );
  });
});

it('a column of debit/credit codes is not the direction column if its header names the balance', async () => {
  const { rows, interpretation } = await readExport([
    'Date,Description,Amount,Dr/Cr of Balance,Balance',
    '13/03/2026,ATM,20.00,Cr,520.00',
    '14/03/2026,CASH DEP,100.00,Cr,620.00',
    '15/03/2026,SHOP,650.00,Dr,30.00',
  ]);
  expect(rows).toEqual([unknown(2), '2026-03-14 +100 CASH DEP', '2026-03-15 -650 SHOP']);
  expect(interpretation.direction).toBeUndefined();
  expect(interpretation['balance sign']).toBe('the words of column "Dr/Cr of Balance"');
});
