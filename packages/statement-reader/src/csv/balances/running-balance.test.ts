import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { readInTest } from '../../../test-support/read-statement.js';

/** Reads a file with the headers Date, Description, Amount, Balance. */
async function read(
  rows: readonly string[],
  options: { ignoresBalance?: boolean; allIncomes?: boolean; minusMeans?: 'income' | 'expense' } = {},
) {
  const { statement } = await readInTest(['Date,Description,Amount,Balance', ...rows].join('\n'), { options });
  const line = statement.interpretation?.lines.find(([label]) => label === 'balance')?.[1];
  return { line, question: statement.interpretation?.question };
}

const oldestFirst = ['2026-01-01,Pay,100.00,100.00', '2026-01-02,Shop,-30.50,69.50', '2026-01-02,Bus,-9.50,60.00'];

describe('the balance column', () => {
  it('is reported as agreeing with rows that are oldest first, newest first, or unsorted', async () => {
    const [pay = '', shop = '', bus = ''] = oldestFirst;
    for (const rows of [oldestFirst, oldestFirst.toReversed(), [pay, bus, shop], [bus, pay, shop]]) {
      expect(await read(rows)).toMatchObject({
        line: 'the balance column agrees on 3 of 3 rows',
        question: { message: 'The columns were guessed.' },
      });
    }
  });

  it.each([
    ['oldest', false],
    ['newest', true],
  ])('requires --ignore-balance if it contradicts a row of a file with the %s row first', async (_, isReversed) => {
    const rows = [...oldestFirst, '2026-01-03,Cafe,-5.00,50.00', '2026-01-04,Pay,20.00,70.00'];
    const { line, question } = await read(isReversed ? rows.toReversed() : rows);
    expect(line).toBe('the balance column agrees on 4 of 5 rows');
    expect(question).toMatchObject({ requiresOption: true, remedy: expect.stringContaining('--ignore-balance') });
    const [cafe, bus] = isReversed ? [3, 4] : [5, 4];
    expect(question?.message).toContain(
      `the balance before line ${cafe} must be 55, but the balance after line ${bus} is 60`,
    );
    expect((await read(rows, { ignoresBalance: true })).question?.requiresOption).not.toBe(true);
  });

  it('contradicts a row that leaves it unchanged, even if the opening balance occurs again', async () => {
    const { line, question } = await read([
      '2026-01-01,A,-20.00,-20.00',
      '2026-01-01,Deposit,20.00,0.00',
      '2026-01-02,Flight,-184.30,0.00',
      '2026-01-03,C,-10.00,-10.00',
      '2026-01-03,Deposit,10.00,0.00',
    ]);
    expect(line).toBe('the balance column agrees on 4 of 5 rows');
    expect(question?.message).toBe(
      'The balance column contradicts 1 of 5 rows: the balance before line 4 must be 184.30, but no row has this balance.',
    );
  });

  it('agrees with rows that are sorted by another day than that of the booking', async () => {
    const { line } = await read([
      '2026-03-15,Lidl,-20.00,830.00',
      '2026-03-12,Uber,-40.00,950.00',
      '2026-03-11,Tesco,-10.00,990.00',
      '2026-03-10,Hotel,-100.00,850.00',
    ]);
    expect(line).toBe('the balance column agrees on 4 of 4 rows');
  });

  it('contradicts a row that is in the file twice, and the remedy names this cause', async () => {
    const { question } = await read([...oldestFirst, '2026-01-02,Bus,-9.50,60.00', '2026-01-03,Cafe,-5.00,55.00']);
    expect(question?.message).toContain('the balance before line 5 must be 69.50, but the balance after line 4 is 60.');
    expect(question?.remedy).toBe(
      'Look for a missing row, a row that is in the file twice, or a wrong column, or accept the amounts with --ignore-balance.',
    );
  });

  it('is not read as the balance before each row if its first balance does not belong to the newest day', async () => {
    // With expenses and incomes swapped, the balances are 350, 450, 500, 520 and 550. The first of them belongs to 17 March.
    const rows = [
      '2026-03-13,Cash machine,-20.00,520.00',
      '2026-03-14,Shop,-30.00,550.00',
      '2026-03-17,Cash deposit,-100.00,450.00',
      '2026-03-18,Fuel,-50.00,500.00',
    ];
    const { line, question } = await read(rows);
    expect(line).toBe('the balance column agrees on 4 of 4 rows if expenses and incomes are swapped');
    expect(question?.requiresOption).toBe(true);
  });

  it('requires --minus if it agrees with the rows only after expenses and incomes are swapped', async () => {
    const rows = ['2026-01-01,Shop,12.00,-12.00', '2026-01-02,Shop,8.00,-20.00', '2026-01-03,Pay,-20.00,0.00'];
    const { line, question } = await read(rows);
    expect(line).toBe('the balance column agrees on 3 of 3 rows if expenses and incomes are swapped');
    expect(question).toMatchObject({ requiresOption: true, remedy: expect.stringContaining('--minus income') });
    expect((await read(rows, { minusMeans: 'income' })).line).toBe('the balance column agrees on 3 of 3 rows');
    expect((await read(rows, { minusMeans: 'expense' })).question?.requiresOption).not.toBe(true);
  });

  it('agrees with the rows if it shows the balance before each row instead of after it', async () => {
    const rows = ['2026-01-01,Pay,100.00,0.00', '2026-01-02,Shop,-30.50,100.00', '2026-01-03,Bus,-9.50,69.50'];
    for (const ordered of [rows, rows.toReversed()]) {
      expect(await read(ordered)).toMatchObject({
        line: 'the balance column agrees on 3 of 3 rows; it shows the balance before each row',
        question: { message: 'The columns were guessed.' },
      });
    }
  });

  it('is reported together with the rows that have no balance and may be pending', async () => {
    const { line } = await read(['2026-01-04,Cafe,-5.75,', ...oldestFirst.toReversed()]);
    expect(line).toBe('the balance column agrees on 3 of 3 rows; line 2 has no balance, and may be pending');
  });

  it('requires the user to leave out --all-incomes or set --ignore-balance if it contradicts --all-incomes', async () => {
    const rows = ['2026-01-01,Coffee,10.00,90.00', '2026-01-02,Tea,20.00,70.00', '2026-01-03,Bus,5.00,65.00'];
    const { question } = await read(rows, { allIncomes: true });
    expect(question).toMatchObject({
      requiresOption: true,
      remedy: expect.stringContaining('Leave out --all-incomes'),
    });
    expect((await read(rows, { allIncomes: true, ignoresBalance: true })).question?.requiresOption).not.toBe(true);
  });

  it('is reported as not compared, and requires no option, if the balances do not fit the amounts', async () => {
    const rows = ['2026-01-01,Pay,100.00,500.00', '2026-01-02,Shop,-30.50,500.00', '2026-01-02,Bus,-9.50,500.00'];
    const { line, question } = await read(rows);
    expect(line).toBe('the balance column does not follow the amounts, so it is not compared');
    expect(question?.requiresOption).not.toBe(true);
  });

  it('is reported as agreeing with all four readable rows if a fifth row cannot be read', async () => {
    const rows = [...oldestFirst, '2026-01-03,Cafe,five,55.00', '2026-01-04,Pay,10.00,65.00'];
    expect(await read(rows)).toMatchObject({
      line: 'the balance column agrees on 4 of 4 rows',
      question: { message: 'The columns were guessed.' },
    });
  });

  it('is recognized by the amounts if its header is unknown', async () => {
    const rows = oldestFirst.map((row) => row.replaceAll(',', ';'));
    const { statement } = await readInTest(['Day;What;Sum A;Sum B', ...rows].join('\n'), {
      options: { columns: { date: 'Day', amount: 'Sum A' } },
    });
    expect(statement.interpretation?.lines).toContainEqual(['balance', 'the balance column agrees on 3 of 3 rows']);
  });

  it('is not read as the amount even if its header is "Amount"', async () => {
    const { lines } = await readInTest(
      ['Date,Text,Amount,Movement', ...oldestFirst.map((row) => row.replace(/,([^,]*),([^,]*)$/, ',$2,$1'))].join('\n'),
    );
    expect(lines).toEqual(['2026-01-01 100 Pay', '2026-01-02 -30.5 Shop', '2026-01-02 -9.5 Bus']);
  });

  it('is checked separately for each account and currency', async () => {
    const { statement } = await readInTest(
      [
        'Date,Account,Description,Amount,Currency,Balance',
        '2026-01-01,A,Pay,10,EUR,10',
        '2026-01-01,B,Pay,5,USD,5',
        '2026-01-02,A,Shop,-4,EUR,6',
        '2026-01-02,B,Shop,-1,USD,4',
      ].join('\n'),
      { options: { hasOneAccount: false } },
    );
    expect(statement.interpretation?.lines).toContainEqual(['balance', 'the balance column agrees on 4 of 4 rows']);
  });
});

describe('rows without a balance between rows with a balance', () => {
  const withHotel = [
    '2026-01-18,Bar,-3.00,92.00',
    '2026-01-17,Shop,-5.00,95.00',
    '2026-01-16,HOTEL,-80.00,',
    '2026-01-15,Kiosk,-2.00,100.00',
    '2026-01-14,Cafe,-4.00,102.00',
  ];

  it.each([
    ['newest', withHotel, 4],
    ['oldest', withHotel.toReversed(), 4],
  ])('require --ignore-balance if no balance includes them, in a file with the %s row first', async (_, rows, line) => {
    expect((await read(rows)).question).toEqual({
      message: `Line ${line} has no balance, and no balance includes its amount. The row may be pending.`,
      remedy: 'Take such rows out of the file. If they are final, use --ignore-balance.',
      requiresOption: true,
    });
    expect((await read(rows, { ignoresBalance: true })).question?.requiresOption).not.toBe(true);
  });

  it('are all listed in the message if no balance includes them', async () => {
    const rows = withHotel.toSpliced(1, 0, '2026-01-18,Taxi,-9.00,').toSpliced(4, 0, '2026-01-15,Rent,-700.00,');
    expect((await read(rows)).question?.message).toBe(
      'Lines 3, 5, 6 have no balance, and no balance includes their amounts. The rows may be pending.',
    );
  });

  it('require an option if no balance includes them, even if the rows of one day are not in booking order', async () => {
    const rows = withHotel.toSpliced(1, 1, '2026-01-17,Tea,-1.00,95.00', '2026-01-17,Shop,-4.00,96.00');
    const unordered = rows.toSpliced(1, 2, rows[2] ?? '', rows[1] ?? '');
    expect((await read(unordered)).question?.message).toContain(
      'Line 5 has no balance, and no balance includes its amount.',
    );
  });

  it('require an option only if no balance of their own account includes them', async () => {
    const rows = [
      '2026-01-14,A,Pay,10,10',
      '2026-01-15,B,Pay,7,7',
      '2026-01-15,A,Shop,-4,',
      '2026-01-16,B,Shop,-4,',
      '2026-01-17,A,Bus,-1,9',
      '2026-01-18,B,Bus,-1,2',
      '2026-01-19,B,Tea,-1,1',
    ];
    const { interpretation } = await readInTest(['Date,Account,Description,Amount,Balance', ...rows].join('\n'), {
      options: { hasOneAccount: false },
    }).then(({ statement }) => statement);
    expect(interpretation?.question?.message).toContain('Line 4 has no balance, and no balance includes its amount.');
  });

  it.each([
    ['final', 'Booked', ['2026-01-16 -80 HOTEL']],
    ['pending', 'Pending', []],
  ])('require no option if a status says that they are %s', async (_, word, recorded) => {
    const rows = withHotel.map((row) => `${row},${row.includes('HOTEL') ? word : 'Booked'}`);
    const { statement, lines } = await readInTest(['Date,Description,Amount,Balance,Status', ...rows].join('\n'));
    expect(statement.interpretation?.question?.requiresOption).not.toBe(true);
    expect(lines.filter((line) => line.includes('HOTEL'))).toEqual(recorded);
  });

  const daily = [
    '2026-01-14,A,-5.00,',
    '2026-01-14,B,50.00,95.00',
    '2026-01-15,C,-5.00,',
    '2026-01-15,D,-5.00,85.00',
    '2026-01-16,E,-1.00,84.00',
    '2026-01-17,F,-3.00,80.00',
    '2026-01-17,G,-1.00,',
    '2026-01-18,H,-1.00,79.00',
    '2026-01-19,I,-2.00,77.00',
    '2026-01-20,J,-4.00,73.00',
  ];
  /** Sorts the days from the newest to the oldest, and keeps the order of the rows of each day. */
  const newestDayFirst = (rows: readonly string[]) => {
    const days = [...new Set(rows.map((row) => row.slice(0, 10)))];
    return days.toReversed().flatMap((day) => rows.filter((row) => row.startsWith(day)));
  };
  it.each([
    ['one row of each day, with the oldest row first', daily],
    ['one row of each day, with the newest row first', daily.toReversed()],
    ['one row of each day, with the newest day first', newestDayFirst(daily)],
    ['one row of each day, with the oldest day first', newestDayFirst(daily).toReversed()],
    [
      'one row of the oldest day',
      ['2026-01-16,C,-1.00,93.00', '2026-01-15,B,-1.00,94.00', ...newestDayFirst(daily.slice(0, 2))],
    ],
  ])('require no option if the bank writes a balance in only %s', async (_, rows) => {
    const { line, question } = await read(rows);
    expect(line).toContain('may be pending');
    expect(question).toEqual({ message: 'The columns were guessed.', remedy: expect.any(String) });
  });

  it('require no option if their amounts add up to zero', async () => {
    const rows = withHotel.toSpliced(2, 0, '2026-01-16,HOTEL,80.00,');
    expect((await read(rows)).question?.requiresOption).not.toBe(true);
  });
});

it('the CSV reader checks the balance if two columns have the same balances', async () => {
  const lines = ['Data mov.;Descrição;Débito;Crédito;Saldo contabilístico;Saldo disponível'];
  const rows = (amount: string) => [
    `15-02-2024;COMPRA;${amount};;1.945,80;1.945,80`,
    '10-02-2024;TRF;;2.000,00;2.000,00;2.000,00',
  ];
  expect((await readExport([...lines, ...rows('54,20')])).interpretation.balance).toContain('agrees');
  const { balance } = (await readExport([...lines, ...rows('45,20')])).interpretation;
  expect(balance).toBe('the balance column does not follow the amounts, so it is not compared');
  const unknown = [
    'Date,Text,Amount,Booked saldo,Usable saldo',
    '2026-01-13,A,-5,95,95',
    '2026-01-14,B,-5,90,90',
    '2026-01-15,C,-5,85,85',
  ];
  expect((await readExport(unknown)).interpretation.balance).toContain('agrees');
});
