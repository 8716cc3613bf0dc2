import { describe, expect, it } from 'vitest';
import { readInTest } from '../../../test-support/read-statement.js';

const header = 'Date,Description,Amount,Balance';
const rows = [
  '2026-03-13,Grocer,20.00,980.00',
  '2026-03-14,Salary,500.00,1480.00',
  '2026-03-15,Phone,35.50,1444.50',
  '2026-03-18,Bakery,4.20,1440.30',
];
const read = (lines: readonly string[], options = {}) => readInTest(lines.join('\n'), { options });

describe('amounts without a sign', () => {
  it.each([
    ['oldest', rows, 2],
    ['newest', rows.toReversed(), 5],
  ])(
    'in a file with the %s row first have the direction that the balance column shows, but the oldest row fails',
    async (_, ordered, oldestLine) => {
      const { statement, lines, rows: readRows } = await read([header, ...ordered]);
      expect(lines.toSorted()).toEqual(['2026-03-14 500 Salary', '2026-03-15 -35.5 Phone', '2026-03-18 -4.2 Bakery']);
      expect(readRows.filter(({ outcome }) => outcome === 'failure')).toEqual([
        {
          line: oldestLine,
          outcome: 'failure',
          reason: expect.stringContaining('the previous balance is unknown'),
        },
      ]);
      expect(statement.interpretation?.lines).toContainEqual([
        'signs',
        'there are none: the balance column shows the direction',
      ]);
      expect(statement.interpretation?.question?.requiresOption).not.toBe(true);
    },
  );

  it('are refused if the balance column contradicts an amount; the error names the line and the amounts', async () => {
    const changed = rows.map((row) => row.replace('1444.50', '1400.00').replace('1440.30', '1395.80'));
    await expect(read([header, ...changed])).rejects.toMatchObject({
      message: expect.stringContaining('line 4: balance 1480 before, amount 35.5, balance 1400 after'),
      remedy: expect.stringContaining('--ignore-balance'),
    });
    const { statement } = await read([header, ...changed], { ignoresBalance: true });
    expect(statement.interpretation?.question).toMatchObject({
      requiresOption: true,
      remedy: expect.stringContaining('--all-incomes'),
    });
  });

  it('need an option if the balances fit both row orders, and all rows have the same date', async () => {
    const equal = ['2026-03-13,A,50.00,100.00', '2026-03-14,B,50.00,150.00', '2026-03-15,C,50.00,100.00'];
    expect((await read([header, ...equal])).lines).toEqual(['2026-03-14 50 B', '2026-03-15 -50 C']);
    const oneDay = equal.map((row) => row.replace(/^\S{10}/, '2026-03-13'));
    expect((await read([header, ...oneDay])).statement.interpretation?.question?.requiresOption).toBe(true);
  });

  it('require an option if the balance column has the balance before each row', async () => {
    const before = ['2026-05-01,Coffee,10.00,100.00', '2026-05-02,Refund,5.00,90.00', '2026-05-03,Rent,20.00,95.00'];
    for (const ordered of [before, before.toReversed()]) {
      expect((await read([header, ...ordered])).statement.interpretation?.question?.requiresOption).toBe(true);
    }
  });

  it('require an option if the balance column does not follow from the amounts', async () => {
    const { statement } = await read([header, '2016-01-15,A,800.00,800.00', '2016-03-11,B,1600.00,2436.76']);
    expect(statement.interpretation?.question).toMatchObject({
      requiresOption: true,
      remedy: expect.stringContaining('--all-incomes'),
    });
  });

  it('are refused if a received payment reduces the balance, because the balance may be a debt', async () => {
    const card = [
      '2026-01-02,Shop,10.00,110.00',
      '2026-01-03,Fuel,20.00,130.00',
      '2026-01-04,Payment received,100.00,30.00',
    ];
    await expect(read([header, ...card])).rejects.toMatchObject({
      message: expect.stringContaining('it becomes smaller in line 4 ("Payment received")'),
      remedy: expect.stringContaining('--all-expenses'),
    });
    const bank = card.map((row) => row.replace('Payment received,100.00,30.00', 'Payment received,100.00,230.00'));
    expect((await read([header, ...bank])).lines).toContain('2026-01-04 100 Payment received');
  });

  it.each([
    ['Balance', 'Autopay', 'it becomes smaller in line 4 ("Autopay")'],
    ['Balance Due', 'Transfer', 'its header is "Balance Due"'],
    ['Outstanding Balance', 'Transfer', 'its header is "Outstanding Balance"'],
    ['Saldo deudor', 'Transfer', 'its header is "Saldo deudor"'],
    ['Offener Saldo', 'Transfer', 'its header is "Offener Saldo"'],
  ])(
    'are refused if the header %s or the text %s shows that the balance may be that of a debt',
    async (name, text, why) => {
      const card = ['2026-01-02,Shop,10.00,110.00', '2026-01-03,Fuel,20.00,130.00', `2026-01-04,${text},100.00,30.00`];
      await expect(read([header.replace('Balance', name), ...card, '2026-01-05,Pub,5.00,35.00'])).rejects.toMatchObject(
        { message: expect.stringContaining(why) },
      );
    },
  );

  it('have the direction that the balance shows if most rows reduce the balance, even if the text of a row is "Autopay"', async () => {
    const bank = ['2026-01-02,Shop,10.00,110.00', '2026-01-03,Autopay,20.00,90.00', '2026-01-04,Pub,5.00,85.00'];
    expect((await read([header, ...bank])).lines).toEqual(['2026-01-03 -20 Autopay', '2026-01-04 -5 Pub']);
  });

  it('are all expenses with --all-expenses, and all incomes with --all-incomes', async () => {
    const plain = ['Date,Description,Amount', '2026-03-13,A,120.00', '2026-03-14,B,5.00'];
    expect((await read(plain, { allExpenses: true })).lines).toEqual(['2026-03-13 -120 A', '2026-03-14 -5 B']);
    expect((await read(plain, { allIncomes: true })).lines).toEqual(['2026-03-13 120 A', '2026-03-14 5 B']);
  });
});

it('the CSV reader reads the direction from the balance if the sign of an amount contradicts its debit/credit code', async () => {
  const { lines } = await read([
    'Date,Label,Amount,D/C,Balance',
    '2026-12-15,Supplier,33.50,D,-23.50',
    '2026-12-16,Payment,"-1,533.50",C,"1,510.00"',
  ]);
  expect(lines).toEqual(['2026-12-15 -33.5 Supplier', '2026-12-16 1533.5 Payment']);
});

describe('rows with the code DEBIT, half of them with a minus', () => {
  const file = ['Date,Description,Type,Amount,Balance', '2026-01-02,Shop,DEBIT,-10.00,90.00'];
  const others = ['2026-01-03,Refund,DEBIT,5.00,95.00', '2026-01-04,Pay,CREDIT,100.00,195.00'];
  const debt = ['2026-01-03,Fuel,DEBIT,5.00,95.00', '2026-01-04,Payment,CREDIT,50.00,45.00'];

  it('fail in a file without a balance column, because either half may be refunds', async () => {
    const { rows: readRows, lines } = await read([...file, ...others].map((line) => line.replace(/,[^,]*$/, '')));
    expect(lines).toEqual(['2026-01-04 100 Pay']);
    expect(readRows.slice(0, 2)).toEqual([
      { line: 2, outcome: 'failure', reason: 'the sign of "-10.00" contradicts "DEBIT"' },
      { line: 3, outcome: 'failure', reason: 'the sign of "5.00" contradicts "DEBIT"' },
    ]);
  });

  it('are read with the direction that the balance shows, except the oldest row', async () => {
    expect((await read([...file, ...others])).lines).toEqual(['2026-01-03 5 Refund', '2026-01-04 100 Pay']);
  });

  it('fail if the balance is that of a debt, which grows with each expense', async () => {
    expect((await read([...file, ...debt])).lines).toEqual(['2026-01-04 50 Payment']);
  });
});

it('the CSV reader rejects a row whose debit/credit code contradicts the balance', async () => {
  const { lines, rows: readRows } = await read([
    'Date,Description,Type,Amount,Balance',
    '2026-01-02,Shop,DEBIT,-10.00,90.00',
    '2026-01-03,Refund,DEBIT,5.00,95.00',
    '2026-01-04,Refund,DEBIT,7.00,102.00',
    '2026-01-05,Pay,CREDIT,100.00,202.00',
  ]);
  expect(lines).toEqual(['2026-01-05 100 Pay']);
  expect(readRows.slice(1, 3)).toMatchObject([
    { outcome: 'failure', reason: 'its columns say expense, and the balance goes from 90 to 95' },
    { outcome: 'failure', reason: 'its columns say expense, and the balance goes from 95 to 102' },
  ]);
});

it('the CSV reader rejects the oldest row if its debit/credit code occurs with both signs, because no earlier balance is known', async () => {
  const { lines, rows: readRows } = await read([
    'Date,Description,Type,Amount,Balance',
    '2026-01-01,Refund,DEBIT,2.00,102.00',
    '2026-01-02,Pay,CREDIT,60.00,162.00',
    '2026-01-03,Fuel,DEBIT,-20.00,142.00',
    '2026-01-04,Rent,DEBIT,30.00,112.00',
  ]);
  expect(lines).toEqual(['2026-01-02 60 Pay', '2026-01-03 -20 Fuel', '2026-01-04 -30 Rent']);
  expect(readRows[0]).toMatchObject({
    outcome: 'failure',
    reason: 'the signs of expenses are mixed, and the previous balance is unknown: record it manually',
  });
});
