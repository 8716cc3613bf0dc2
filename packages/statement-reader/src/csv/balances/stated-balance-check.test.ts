import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const mbank = (closing: string) => [
  '#Data księgowania;#Opis operacji;#Kwota;#Saldo po operacji',
  '2026-01-12;ZAKUP PRZY UŻYCIU KARTY;-12,62;29775,01',
  '2026-01-13;KAPITALIZACJA ODSETEK;4,25;29779,26',
  `;#Saldo końcowe;${closing};`,
];
const intesa = (...footer: string[]) => [
  'Data contabile;Descrizione operazione;Dare;Avere;Saldo',
  '28/02/2026;Stipendio ACME SRL;;1.850,00;4.210,55',
  '27/02/2026;Pagamento POS Esselunga;-64,45;;2.360,55',
  '13/02/2026;Canone mensile;-2,00;;2.425,00',
  ...footer,
];

describe('a closing balance below the rows of a file with a balance column', () => {
  it('requires --ignore-balance if it differs from the balance after the newest row', async () => {
    const { question, interpretation, rows } = await readExport(mbank('29879,26'));
    expect(question).toEqual({
      message:
        'The closing balance in line 4 is 29879.26, but the balance column ends with 29779.26. Rows may be missing or wrong.',
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    });
    expect(interpretation['closing balance']).toBe('29879.26 in line 4, but 29779.26 in the balance column');
    expect(rows).toHaveLength(2);
    const ignored = await readExport(mbank('29879,26'), { ignoresBalance: true });
    expect(ignored.question?.requiresOption).not.toBe(true);
  });

  it.each<[closing: string, lines: readonly string[]]>([
    ['is in the balance column', intesa('28/02/2026;Saldo finale;;;4.310,55')],
    ['is in the first cell, with its amount', intesa('Saldo finale al 28/02/2026: 4.310,55 EUR')],
    ['equals the balance before the newest row', intesa(';Saldo finale;;;2.360,55')],
    [
      'has a date and an amount, like a row',
      [
        'Date,Description,Amount,Balance',
        '2026-01-02,City Water Utility,-61.20,938.80',
        '2026-01-13,Payroll ACME Corp,2100.00,3038.80',
        '2026-01-31,Closing balance,3138.80,',
      ],
    ],
    [
      'is below a single row',
      ['Date,Description,Amount,Balance', '2026-01-13,Coffee,-3.20,96.80', ',Ending balance,,90.00'],
    ],
  ])('is compared if it %s', async (_closing, lines) => {
    const { interpretation, question } = await readExport(lines);
    expect(interpretation['closing balance']).toMatch(
      /^[\d.]+( EUR)? in line \d, but [\d.]+( EUR)? in the balance column$/,
    );
    expect(question?.message).toMatch(/^The closing balance in line \d/);
    expect(question?.requiresOption).toBe(true);
  });

  it.each<[closing: string, lines: readonly string[]]>([
    ['equals the balance after the newest row, which is the last row', mbank('29779,26')],
    ['equals the balance after the newest row, which is the first row', intesa(';Saldo finale;;;4.210,55')],
    ['is an available balance', intesa(';Saldo disponibile;;;5.210,55')],
    ['is the balance of another day', intesa(';Saldo al 15/03/2026;;;5.210,55')],
    ['is the opening balance', intesa(';Saldo iniziale;;;2.427,00')],
    ['has no amount', intesa(';Saldo finale;;;')],
    ['has several amounts, none of them in the balance column', intesa(';Saldo finale;66,45;1.850,00;')],
    [
      'is below rows that state the balance before their transaction, and not after it',
      [
        'Date,Description,Amount,Balance',
        '2026-01-14,Rent,-700.00,1480.00',
        '2026-01-13,Refund,5.00,1475.00',
        '2026-01-05,Cafe,-5.00,1480.00',
        ',Closing balance,,780.00',
      ],
    ],
    [
      'equals the balance of another row of the newest day, because the rows of a day have no order',
      [
        'Date,Description,Amount,Balance',
        '2026-01-13,Coffee,-3.20,96.80',
        '2026-01-14,Books,-10.00,81.80',
        '2026-01-14,Lunch,-5.00,91.80',
        ',Closing balance,,81.80',
      ],
    ],
    [
      'is below a balance column that is ignored, because it does not fit the amounts',
      [
        'Date,Description,Amount,Balance',
        '2026-01-13,Coffee,-3.20,500.00',
        '2026-01-14,Books,-10.00,20.00',
        '2026-01-15,Lunch,-5.00,7.00',
        '2026-01-16,Tram,-2.00,41.00',
        ',Closing balance,,81.80',
      ],
    ],
    [
      'is below rows of two currencies',
      [
        'Date,Description,Amount,Currency,Balance',
        '2026-01-13,Coffee,-3.20,EUR,96.80',
        '2026-01-14,Books,-10.00,USD,40.00',
        ',Closing balance,,EUR,96.80',
      ],
    ],
  ])('raises no question if it %s', async (_closing, lines) => {
    const { interpretation, question } = await readExport(lines);
    expect(interpretation['closing balance']).toBeUndefined();
    expect(question?.message ?? '').not.toContain('closing balance');
  });
});

describe('a balance that the file states outside its balance column', () => {
  const german = ['Datum;Text;Betrag;Saldo', '13.03.2026;Shop;-45,10;54,90', '14.03.2026;Lohn;1500,00;1554,90'];
  const english = [
    'Date,Description,Debit,Credit,Balance',
    '2026-03-13,Shop,45.10,,54.90',
    '2026-03-14,Salary,,1500.00,1554.90',
  ];

  it.each<[where: string, lines: readonly string[], message: string]>([
    [
      'a balance of a later day of the month, below the rows',
      [...english, '', 'Balance at 31/03/2026,1516.90'],
      'The balance in line 5 is 1516.90, but the balance column ends with 1554.90.',
    ],
    [
      'a balance of a day, with its amount in another cell',
      [...german, '', 'Kontostand am 31.03.2026;;;1516,90'],
      'The balance in line 5 is 1516.90, but the balance column ends with 1554.90.',
    ],
    [
      'a balance of a day, above the headers of a file with the newest row first',
      [
        'Konto: 123',
        'Kontostand vom 17.03.2026:;1.516,90 EUR',
        '',
        ...german.toSpliced(1, 2, german[2] ?? '', german[1] ?? ''),
      ],
      'The balance in line 2 is 1516.90 EUR, but the balance column ends with 1554.90 EUR.',
    ],
    [
      'a closing balance above the headers',
      ['Opening balance,100.00', 'Closing balance,1516.90', '', ...english],
      'The closing balance in line 2 is 1516.90, but the balance column ends with 1554.90.',
    ],
    [
      'an opening balance above the headers',
      ['Opening balance,137.90', 'Closing balance,1554.90', '', ...english],
      'The opening balance in line 1 is 137.90, but the balance before the oldest row is 100.',
    ],
    [
      'an ending balance in the summary of Bank of America',
      [
        'Description,,Summary Amt.',
        'Beginning balance as of 03/01/2026,,"100.00"',
        'Total credits,,"1,500.00"',
        'Total debits,,"-83.10"',
        'Ending balance as of 03/31/2026,,"1,516.90"',
        '',
        'Date,Description,Amount,Running Bal.',
        '03/01/2026,Beginning balance as of 03/01/2026,,"100.00"',
        '03/13/2026,"Shop","-45.10","54.90"',
        '03/14/2026,"Salary","1,500.00","1,554.90"',
      ],
      'The closing balance in line 5 is 1516.90, but the balance column ends with 1554.90.',
    ],
    [
      'an opening balance in the first row, before a missing row',
      [
        'Date,Description,Debit,Credit,Balance',
        '2026-03-01,Opening balance,,,100.00',
        '2026-03-14,Salary,,1500.00,1554.90',
        '2026-03-17,Fuel,38.00,,1516.90',
      ],
      'The opening balance in line 2 is 100, but the balance before the oldest row is 54.90.',
    ],
    [
      'an opening balance in the last row of a file with the newest row first',
      [
        'Date,Description,Debit,Credit,Balance',
        '2026-03-17,Fuel,38.00,,1516.90',
        '2026-03-14,Salary,,1500.00,1554.90',
        '2026-03-01,Balance brought forward,,,100.00',
      ],
      'The opening balance in line 4 is 100, but the balance before the oldest row is 54.90.',
    ],
  ])('requires --ignore-balance if it contradicts the balance column: %s', async (_where, lines, message) => {
    const { question } = await readExport(lines);
    expect(question).toEqual({
      message: `${message} Rows may be missing or wrong.`,
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    });
    expect((await readExport(lines, { ignoresBalance: true })).question?.requiresOption).not.toBe(true);
  });

  it.each<[stated: string, lines: readonly string[]]>([
    ['is that of a day after the month of the newest row', [...english, 'Balance at 02/04/2026,1516.90']],
    ['is that of a day before the newest row', [...english, 'Balance at 13/03/2026,54.90']],
    ['has a date that may be 4 March or 3 April', ['Balance at 04/03/2026,1516.90', ...english]],
    ['is an available or a current balance', ['Available balance,1516.90', 'Current balance,1516.90', ...english]],
    ['agrees', ['Opening balance,100.00', 'Balance as of 31/03/2026,1554.90', ...english, 'Ending balance,1554.90']],
    [
      'is that of a debt, which grows with each expense',
      [
        'Opening balance,100.00',
        'Closing balance,85.10',
        'Date,Description,Amount,Balance',
        '2026-03-13,Shop,-45.10,145.10',
        '2026-03-14,Payment received,60.00,85.10',
      ],
    ],
    [
      'equals the balance before one of the rows of the oldest day, because the rows of a day have no order',
      [
        'Opening balance,100.00',
        'Date,Description,Amount,Balance',
        '2026-03-13,Lunch,-10.00,85.00',
        '2026-03-13,Shop,-5.00,95.00',
        '2026-03-14,Books,-20.00,65.00',
      ],
    ],
    [
      'is followed by a row that cannot be read, because this row fails',
      [
        'Opening balance,100.00',
        'Date,Description,Amount,Balance',
        '2026-03-13,Shop,?,90.00',
        '2026-03-14,Books,-20.00,70.00',
      ],
    ],
    ['is between the rows', [...english, '2026-03-14,Closing balance,,,1516.90', '2026-03-15,Fuel,38.00,,1516.90']],
  ])('raises no question if it %s', async (_stated, lines) => {
    const { interpretation, question } = await readExport(lines);
    expect([interpretation['opening balance'], interpretation['closing balance']]).toEqual([undefined, undefined]);
    expect(question?.message ?? '').not.toContain('balance in line');
  });
});

describe('the opening and closing balances of a file without a balance column', () => {
  const rows = ['2026-03-13,Shop,-45.10', '2026-03-14,Salary,1500.00'];
  const file = (closing: string) => [
    'Date,Description,Amount',
    '2026-03-01,Opening balance,100.00',
    ...rows,
    `2026-03-31,Closing balance,${closing}`,
  ];

  it('require --ignore-balance if the opening balance and the rows do not add up to the closing balance', async () => {
    const { question, interpretation } = await readExport(file('1516.90'));
    expect(question).toEqual({
      message:
        'The closing balance in line 5 is 1516.90, but the opening balance in line 2 and the rows add up to 1554.90. Rows may be missing or wrong.',
      remedy: 'Export the statement again. If its rows are right, use --ignore-balance.',
      requiresOption: true,
    });
    expect(interpretation['closing balance']).toBe(
      '1516.90 in line 5, but the opening balance in line 2 and the rows add up to 1554.90',
    );
    const german = await readExport([
      'Konto;DE02120300000000202051',
      'Anfangssaldo 01.03.2026;100,00',
      '',
      'Datum;Text;Betrag',
      '13.03.2026;Shop;-45,10',
      '14.03.2026;Lohn;1500,00',
      '',
      'Endsaldo 31.03.2026;1516,90',
    ]);
    expect(german.question?.message).toMatch(/^The closing balance in line 8 is 1516\.90, .* add up to 1554\.90\./);
    const comdirect = await readExport([
      'Umsätze Girokonto;Zeitraum: 30 Tage',
      'Neuer Kontostand;1.516,90 EUR',
      '',
      'Datum;Text;Betrag',
      '13.03.2026;Shop;-45,10',
      '14.03.2026;Lohn;1500,00',
      '',
      'Alter Kontostand;100,00 EUR',
    ]);
    expect(comdirect.question?.message).toMatch(
      /^The closing balance in line 2 is 1516\.90 EUR, .* add up to 1554\.90 EUR\./,
    );
    expect((await readExport(file('1516.90'), { ignoresBalance: true })).question?.requiresOption).not.toBe(true);
  });

  it.each<[reason: string, lines: readonly string[]]>([
    ['the opening balance and the rows add up to the closing balance', file('1554.90')],
    [
      'a debt grows with each expense',
      ['Opening balance,2000.00', 'Closing balance,545.10', ...file('').slice(0, 1), ...rows],
    ],
    ['one of them is missing', file('1516.90').toSpliced(1, 1)],
    ['a row cannot be read', file('1516.90').toSpliced(3, 0, '2026-03-14,Fuel,?')],
    [
      'a row is pending',
      [
        'Opening balance,100.00',
        'Closing balance,92.00',
        'Date,Description,Amount,Status',
        '2026-03-13,Shop,-5.00,Booked',
        '2026-03-14,Fuel,-3.00,Pending',
      ],
    ],
  ])('raise no question if %s', async (_reason, lines) => {
    const { interpretation, question } = await readExport(lines);
    expect(interpretation['closing balance']).toBeUndefined();
    expect(question?.requiresOption).not.toBe(true);
  });
});
