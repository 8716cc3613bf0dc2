import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const refused = (line: number, text: string) =>
  `line ${line} failure: "${text}" looks like a balance and not like a transaction`;
const leftOut = (line: number, text: string) => `line ${line} skipped: it is a balance ("${text}")`;

async function rowsOf(lines: readonly string[]): Promise<readonly string[]> {
  return (await readExport(lines)).rows;
}

describe('a balance line in a file without a balance column', () => {
  it('is left out above the first transaction and below the last transaction', async () => {
    const rows = await rowsOf([
      'Data;Descrizione;Importo',
      '01/01/2024;Saldo iniziale;1.000,00',
      '15/01/2024;Bar;-4,50',
      '16/01/2024;Stipendio;2.000,00',
      '31/01/2024;Saldo finale;2.995,50',
      '31/01/2024;Saldo disponibile al 31/01/2024;2.995,50',
    ]);
    expect(rows).toEqual([
      leftOut(2, 'Saldo iniziale'),
      '2024-01-15 -4.5 Bar',
      '2024-01-16 +2000 Stipendio',
      leftOut(5, 'Saldo finale'),
      leftOut(6, 'Saldo disponibile al 31/01/2024'),
    ]);
  });

  it('is left out in a file with debit and credit columns, even if the next row is skipped', async () => {
    const rows = await rowsOf([
      'Date,Description,Debit,Credit,Status',
      '2024-01-01,Balance at start of period,,100.00,Completed',
      '2024-01-02,Hotel,50.00,,Pending',
      '2024-01-03,Grocer,12.50,,Completed',
    ]);
    expect(rows).toEqual([
      leftOut(2, 'Balance at start of period'),
      'line 3 skipped: it is pending',
      '2024-01-03 -12.5 Grocer',
    ]);
  });

  it.each([
    ['between transactions', ['15/01/2024;Bar;-1,00', '16/01/2024;Saldo finale;50,00', '17/01/2024;Bar;-2,00']],
    ['if it would be an expense', ['15/01/2024;Bar;-1,00', '16/01/2024;Saldo finale;-50,00']],
    ['if payments may have the same name', ['15/01/2024;Bar;-1,00', '16/01/2024;Saldo;50,00']],
    ['if its name may contain an invoice number', ['15/01/2024;Bar;-1,00', '16/01/2024;Saldo finale 12 B;50,00']],
    [
      'if the rows between it and another balance line do not add up to the difference of the balances',
      [
        '01/01/2024;Saldo iniziale;-9,00',
        '15/01/2024;Bar;-1,00',
        '16/01/2024;Tè;-1,00',
        '17/01/2024;Saldo finale;-12,00',
      ],
    ],
    ['above a row that cannot be read', ['15/01/2024;Bar;-1,00', '16/01/2024;Saldo finale;50,00', 'ieri;Bar;-2,00']],
  ])('is refused %s', async (_place, lines) => {
    const rows = await rowsOf(['Data;Descrizione;Importo', ...lines]);
    const index = lines.findLastIndex((line) => line.includes('Saldo'));
    const text = /Saldo[^;]*/.exec(lines[index] ?? '')?.[0] ?? '';
    expect(rows[index]).toBe(refused(index + 2, text));
  });

  it('is left out if the row has nothing but a date, text, amount, currency, IBAN and codes of one or two characters', async () => {
    const rows = await rowsOf([
      '"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Kodas",',
      '"LT797300010012345678","20","2024-01-03","Baker","PIRKINYS","5.50","EUR","D","K",',
      '"LT797300010012345678","86","2024-01-31","","Likutis pabaigai","80.00","EUR","K","LS",',
      '"LT797300010012345678","10","2024-01-01","","Likutis pradžiai","120.00","LTL","K","AS",',
      '"LT797300010012345678","86","2024-01-31","","Likutis pabaigai","120.00","LTL","K","LS",',
    ]);
    expect(rows.slice(1)).toEqual([
      leftOut(3, 'Likutis pabaigai'),
      leftOut(4, 'Likutis pradžiai'),
      leftOut(5, 'Likutis pabaigai'),
    ]);
  });

  it('is refused if the row names a payer', async () => {
    const rows = await rowsOf([
      'Data;Beneficiario;Descrizione;Importo',
      '15/01/2024;Bar;;-1,00',
      '16/01/2024;Cliente srl;Saldo finale;50,00',
    ]);
    expect(rows[1]).toBe(refused(3, 'Saldo finale'));
  });
});

describe('two balance lines that match the rows between them', () => {
  it.each([
    [
      'if both are below zero',
      ['01/01/2024;Saldo iniziale;-100,00', '15/01/2024;Bar;-4,50', '31/01/2024;Saldo finale;-104,50'],
    ],
    [
      'if the newest row comes first',
      ['31/01/2024;Saldo finale;-104,50', '15/01/2024;Bar;-4,50', '01/01/2024;Saldo iniziale;-100,00'],
    ],
    ['if their text is only "Saldo"', ['01/01/2024;Saldo;100,00', '15/01/2024;Bar;-4,50', '31/01/2024;Saldo;95,50']],
  ])('are left out %s', async (_case, lines) => {
    const rows = await rowsOf(['Data;Descrizione;Importo', ...lines]);
    expect(rows).toEqual([
      expect.stringMatching(/^line 2 skipped: it is a balance/),
      '2024-01-15 -4.5 Bar',
      expect.stringMatching(/^line 4 skipped: it is a balance/),
    ]);
  });

  it('are left out even if each day ends with a balance line', async () => {
    const rows = await rowsOf([
      'Data,Historico,Valor',
      '01/02/2024,SALDO ANTERIOR,500.00',
      '13/02/2024,Loja,-20.00',
      '13/02/2024,SALDO DO DIA,480.00',
      '14/02/2024,Salario,100.00',
      '14/02/2024,SALDO DO DIA,580.00',
    ]);
    expect(rows.filter((row) => row.includes('SALDO'))).toEqual([
      leftOut(2, 'SALDO ANTERIOR'),
      leftOut(4, 'SALDO DO DIA'),
      leftOut(6, 'SALDO DO DIA'),
    ]);
  });

  it('are left out even if one of them has no debit/credit code', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount,Type',
      '2024-01-01,Opening Balance,100.00,',
      '2024-01-15,Coffee,4.50,DR',
      '2024-01-16,Pay,20.00,CR',
      '2024-01-31,Closing Balance,115.50,CR',
    ]);
    expect(rows).toEqual([
      leftOut(2, 'Opening Balance'),
      '2024-01-15 -4.5 Coffee',
      '2024-01-16 +20 Pay',
      leftOut(5, 'Closing Balance'),
    ]);
  });

  it('are refused if their names are unknown, because they may be payments', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount',
      '2024-01-01,My secret balance,-100.00',
      '2024-01-15,Coffee,-4.50',
      '2024-01-31,My new balance today,-104.50',
    ]);
    expect(rows).toEqual([
      refused(2, 'My secret balance'),
      '2024-01-15 -4.5 Coffee',
      refused(4, 'My new balance today'),
    ]);
  });

  it('are not both left out if a row between them cannot be read or has another currency: the first one is refused', async () => {
    const unreadable = ['2024-01-15,Coffee,-4.50,EUR', '2024-01-16,Tea,x 1,EUR'];
    const foreign = ['2024-01-15,Coffee,-4.00,EUR', '2024-01-16,Tea,-0.50,USD'];
    for (const between of [unreadable, foreign]) {
      const rows = await rowsOf([
        'Date,Description,Amount,Currency',
        '2024-01-01,Opening balance,-100.00,EUR',
        ...between,
        '2024-01-31,Closing balance,-104.50,EUR',
      ]);
      expect(rows[0]).toBe(refused(2, 'Opening balance'));
    }
  });
});

describe('a total of the debits or credits', () => {
  const swedbank = (debits: string) => [
    '"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Kodas",',
    '"LT797300010012345678","10","2024-01-01","","Likutis pradžiai","100.00","EUR","K","AS",',
    '"LT797300010012345678","20","2024-01-02","UAB "Naktida"","PIRKINYS","14.50","EUR","D","K",',
    '"LT797300010012345678","20","2024-01-03","Baker","PIRKINYS","5.50","EUR","D","K",',
    '"LT797300010012345678","20","2024-01-04","Acme","Salary","50.00","EUR","K","MK",',
    `"LT797300010012345678","82","2024-01-31","","Apyvarta","${debits}","EUR","D","K2",`,
    '"LT797300010012345678","86","2024-01-31","","Likutis pabaigai","130.00","EUR","K","LS",',
  ];

  it('is left out, like the opening and closing balances, if the debits add up to it', async () => {
    expect(await rowsOf(swedbank('20.00'))).toEqual([
      leftOut(2, 'Likutis pradžiai'),
      expect.stringContaining('2024-01-02 -14.5 EUR'),
      expect.stringContaining('2024-01-03 -5.5 EUR'),
      expect.stringContaining('2024-01-04 +50 EUR'),
      'line 6 skipped: it is a total ("Apyvarta")',
      leftOut(7, 'Likutis pabaigai'),
    ]);
  });

  it('is left out even if it is equal to the only debit, because no merchant has the name "Apyvarta" (turnover)', async () => {
    const lines = swedbank('14.50').filter((line) => !line.includes('Baker'));
    expect((await rowsOf(lines))[3]).toBe('line 5 skipped: it is a total ("Apyvarta")');
  });

  it('is skipped if it is a credit total of zero, and no row of the file is a credit', async () => {
    const lines = swedbank('20.00').filter((line) => !line.includes('Salary'));
    const credits = '"LT797300010012345678","82","2024-01-31","","Apyvarta","0.00","EUR","K","K2",';
    expect((await rowsOf([...lines.slice(0, 5), credits, ...lines.slice(5)]))[4]).toBe(
      'line 6 skipped: it is a total ("Apyvarta")',
    );
  });

  it('fails if the balance changes in its row, because it may then be a payment', async () => {
    const lines = (balance: string) => [
      'Date,Description,Debit,Credit,Balance',
      '2024-01-02,Shop,14.50,,85.50',
      '2024-01-03,Baker,5.50,,80.00',
      `2024-01-31,Debit turnover,20.00,,${balance}`,
    ];
    expect((await rowsOf(lines('80.00')))[2]).toBe('line 4 skipped: it is a total ("Debit turnover")');
    expect((await rowsOf(lines('60.00')))[2]).toBe(
      'line 4 failure: "Debit turnover" looks like a total and not like a transaction',
    );
  });

  it('is refused if it is a debit total and the debits do not add up to it', async () => {
    expect((await rowsOf(swedbank('21.00')))[4]).toBe(
      'line 6 failure: "Apyvarta" looks like a total and not like a transaction',
    );
  });
});

describe('a balance of a day', () => {
  it.each([
    'Kontostand am 31.01.2024',
    'SOLDE AU 31/01/2024',
    'SOLDE CREDITEUR AU 31/01/2024',
    'Saldo per 31.01.2024',
    'Saldo a 31/01/2024',
  ])(
    'with the name "%s" is left out below the last transaction, but is refused if the name begins with "Saldo a"',
    async (text) => {
      const rows = await rowsOf(['Date;Libellé;Débit;Crédit', '15/01/2024;CB;20,00;', `31/01/2024;${text};;580,00`]);
      expect(rows[1]).toMatch(text.startsWith('Saldo a ') ? /failure/ : /skipped: it is a balance/);
    },
  );

  it('is left out even below zero if the rows since the previous balance add up to the difference of the balances', async () => {
    const rows = await rowsOf([
      'Date;Libellé;Débit;Crédit',
      '01/02/2024;SOLDE DEBITEUR AU 31/01/2024;500,00;',
      '13/02/2024;CB CARREFOUR;20,00;',
      '14/02/2024;VIR ACME;;100,00',
      '28/02/2024;SOLDE DEBITEUR AU 28/02/2024;420,00;',
    ]);
    expect(rows[0]).toBe(leftOut(2, 'SOLDE DEBITEUR AU 31/01/2024'));
    expect(rows[3]).toBe(leftOut(5, 'SOLDE DEBITEUR AU 28/02/2024'));
  });
});

describe('a balance line in a file with a balance column', () => {
  it('is left out if its amount is the balance at that line, even below zero', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount,Balance',
      '2024-01-01,Opening balance,-100.00,-100.00',
      '2024-01-02,Grocer,-12.50,-112.50',
      '2024-01-03,Baker,-2.50,-115.00',
      '2024-01-31,Closing balance,-115.00,',
    ]);
    expect(rows).toEqual([
      leftOut(2, 'Opening balance'),
      '2024-01-02 -12.5 Grocer',
      '2024-01-03 -2.5 Baker',
      leftOut(5, 'Closing balance'),
    ]);
  });

  it('is left out even if the newest row is the first row of the file', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount,Balance',
      '2024-01-31,Closing balance,85.00,85.00',
      '2024-01-03,Baker,-2.50,85.00',
      '2024-01-02,Grocer,-12.50,87.50',
      '2024-01-01,Opening balance,100.00,100.00',
    ]);
    expect(rows[0]).toBe(leftOut(2, 'Closing balance'));
    expect(rows[3]).toBe(leftOut(5, 'Opening balance'));
  });

  it('is left out between transactions if the balance does not change, and above them if its amount is zero', async () => {
    const rows = await rowsOf([
      'Date,Description,Debit,Credit,Balance',
      '2024-01-01,BALANCE FORWARD,,0.00,500.00',
      '2024-01-02,Grocer,20.00,,480.00',
      '2024-01-02,Balance carried forward,,480.00,480.00',
      '2024-01-03,Pay,,100.00,580.00',
    ]);
    expect(rows).toEqual([
      leftOut(2, 'BALANCE FORWARD'),
      '2024-01-02 -20 Grocer',
      leftOut(4, 'Balance carried forward'),
      '2024-01-03 +100 Pay',
    ]);
  });

  it('is left out in a file without transactions if another balance line has the same amount', async () => {
    const file = ['Date,Description,Amount,Balance', '2024-01-01,Opening balance,100.00,100.00'];
    expect(await rowsOf([...file, '2024-01-31,Closing balance,100.00,100.00'])).toEqual([
      leftOut(2, 'Opening balance'),
      leftOut(3, 'Closing balance'),
    ]);
    expect((await rowsOf(file))[0]).toBe(refused(2, 'Opening balance'));
  });

  it('is left out despite an unknown name if the balance does not change, but is refused if it is the oldest row', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount,Balance',
      '2024-01-01,Our ledger balance today,100.00,100.00',
      '2024-01-02,Grocer,-12.50,87.50',
      '2024-01-03,New Balance Shoes,-2.50,85.00',
      '2024-01-31,Your balance of the month,85.00,85.00',
    ]);
    expect(rows).toEqual([
      refused(2, 'Our ledger balance today'),
      '2024-01-02 -12.5 Grocer',
      '2024-01-03 -2.5 New Balance Shoes',
      leftOut(5, 'Your balance of the month'),
    ]);
  });

  it('is read as a transaction if its name is unknown and the balance includes it', async () => {
    const rows = await rowsOf([
      'Date,Description,Amount,Balance',
      '2024-01-02,Grocer,-12.50,-12.50',
      '2024-01-03,Pay,12.50,0.00',
      '2024-01-04,Refund New Balance,85.00,85.00',
    ]);
    expect(rows[2]).toBe('2024-01-04 +85 Refund New Balance');
  });

  it.each([
    ['that empties the account', '2024-01-31,Closing balance,-85.00,0.00'],
    ['that the balance includes', '2024-01-31,Closing balance,15.00,100.00'],
    ['with an amount that is no balance of the file', '2024-01-31,Closing balance,15.00,'],
  ])('is refused, because it may be a payment %s', async (_payment, line) => {
    const rows = await rowsOf([
      'Date,Description,Amount,Balance',
      '2024-01-02,Grocer,-12.50,87.50',
      '2024-01-03,Baker,-2.50,85.00',
      line,
    ]);
    expect(rows[2]).toBe(refused(4, 'Closing balance'));
  });
});

describe('a row without letters in any cell', () => {
  const rows = ['15/11/2024;-45,67;Carte;;CB CARREFOUR;;0;Divers', '18/11/2024;1500,00;Virement;;VIR ACME;;0;Divers'];
  const other = '19/11/2024;-12,00;Prélèvement;;PRLV FREE;;0;Divers';
  const balance = '19/11/2024;1442,33;;;0012345;;;';
  const refusal =
    'it has no text, unlike all rows above it, and may be a balance: record it manually if it is a payment';

  it('is refused if it is the last row, because some banks end a file with a date and the balance', async () => {
    expect((await rowsOf([...rows, other, balance])).at(-1)).toBe(`line 4 failure: ${refusal}`);
  });

  it.each([
    ['a row above it has no letters either', [...rows, '18/11/2024;7,00;;;;;;', other, balance]],
    ['only two rows are above it', [...rows, balance]],
    ['it is not the last row', [balance, ...rows, other]],
  ])('is a transaction if %s', async (_case, lines) => {
    expect(await rowsOf(lines)).toContain('2024-11-19 +1442.33 0012345');
  });

  it('is a transaction if its text is on the next line, or if the balance column includes its amount', async () => {
    const file = ['Date,Details,Amount', '2024-11-15,Grocer,-1.00', '2024-11-16,Baker,-2.00', '2024-11-17,Pay,9.00'];
    expect((await rowsOf([...file, '2024-11-18,,5.00', ',Cashback,'])).at(-1)).toBe('2024-11-18 +5 Cashback');
    const balances = [',Balance', ',10.00', ',8.00', ',17.00', ',22.00'];
    const withBalances = [...file, '2024-11-18,,5.00'].map((line, index) => line + balances[index]);
    expect((await rowsOf(withBalances)).at(-1)).toBe('2024-11-18 +5');
  });
});
