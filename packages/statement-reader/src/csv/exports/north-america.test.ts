import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('exports of US checking accounts', () => {
  it('are read with signed amounts, a column of the words DEBIT and CREDIT, a balance and a trailing comma', async () => {
    const { rows, interpretation, mustConfirm } = await readExport([
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'DEBIT,01/16/2024,"ORIG CO NAME:CITY WATER  ENTRY DESCR:WEB, PAY",-42.50,ACH_DEBIT,1957.50,,',
      'CREDIT,01/12/2024,"PAYROLL ACME INC",2000.00,ACH_CREDIT,2000.00,,',
    ]);
    expect(rows).toEqual([
      '2024-01-16 -42.5 ORIG CO NAME:CITY WATER  ENTRY DESCR:WEB, PAY',
      '2024-01-12 +2000 PAYROLL ACME INC',
    ]);
    expect(interpretation).toMatchObject({ date: 'Posting Date', amount: 'Amount', description: 'Description' });
    expect(mustConfirm).toBe(true);
  });

  it('are read below a summary, without the balance row in the table', async () => {
    const { rows, interpretation } = await readExport([
      'Description,,Summary Amt.',
      'Beginning balance as of 01/01/2024,,"1,000.00"',
      'Total credits,,"250.00"',
      'Total debits,,"-30.25"',
      'Ending balance as of 01/31/2024,,"1,219.75"',
      '',
      'Date,Description,Amount,Running Bal.',
      '01/01/2024,Beginning balance as of 01/01/2024,,"1,000.00"',
      '01/15/2024,"ZELLE FROM ANN","250.00","1,250.00"',
      '01/16/2024,"GROCER 12","-30.25","1,219.75"',
    ]);
    expect(rows).toEqual(['2024-01-15 +250 ZELLE FROM ANN', '2024-01-16 -30.25 GROCER 12']);
    expect(interpretation['left out']).toMatch(
      /^line 8 ".*" \(balance\), line 1 "Description" \(preamble\), .*; 1 preamble, 1 blank$/,
    );
  });

  it('are read without headers if only one column can be the amount', async () => {
    const { rows, interpretation, mustConfirm } = await readExport([
      '"01/31/2024","-12.34","*","","PURCHASE AUTHORIZED ON 01/30 GROCER"',
      '"01/30/2024","1500.00","*","","ACME PAYROLL"',
    ]);
    expect(rows).toEqual(['2024-01-31 -12.34 PURCHASE AUTHORIZED ON 01/30 GROCER', '2024-01-30 +1500 ACME PAYROLL']);
    expect(interpretation).toMatchObject({ date: 'column 1', amount: 'column 2', description: 'column 5' });
    expect(mustConfirm).toBe(true);
  });

  it('are read without headers with the texts of the transactions instead of the name of the bank', async () => {
    const { interpretation } = await readExport([
      '"CAISSE DESJARDINS DU PLATEAU","EOP","2026/09/01","Paiement facture /Hydro-Québec",-65.43',
      '"CAISSE DESJARDINS DU PLATEAU","EOP","2026/09/02","Achat /Metro",-20.00',
    ]);
    expect(interpretation).toMatchObject({ description: 'column 4' });
  });
});

it('the CSV reader uses the column Action of a Fidelity export as the description if every description is "No Description"', async () => {
  const { rows } = await readExport([
    'Run Date,Action,Symbol,Description,Type,Amount ($)',
    '01/22/2026,DIVIDEND RECEIVED,FOO,No Description,Cash,12.50',
    '01/23/2026,DEBIT CARD PURCHASE,,No Description,Cash,-20.00',
  ]);
  expect(rows).toEqual(['2026-01-22 +12.5 DIVIDEND RECEIVED', '2026-01-23 -20 DEBIT CARD PURCHASE']);
});

describe('exports of US cards', () => {
  it('are read with columns of charges and credits, even if many rows precede the first credit', async () => {
    const charges = Array.from(
      { length: 70 },
      (_, index) => `08/${10 + (index % 20)}/2007,STATION ${index},${index + 1}.76,`,
    );
    const lines = ['Date,Transaction,Charges $,Credits $', ...charges, '08/31/2007,RETURN,,12.00'];
    const { interpretation, rows } = await readExport(lines);
    expect(interpretation).toMatchObject({ debit: 'Charges $', credit: 'Credits $' });
    expect([rows[0], rows.at(-1)]).toEqual(['2007-08-10 -1.76 STATION 0', '2007-08-31 +12 RETURN']);
  });

  it('are read with debit and credit columns, one of them empty in each row', async () => {
    const { rows } = await readExport([
      'Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit',
      '2024-01-13,2024-01-15,1234,COFFEE HOUSE,Dining,5.25,',
      '2024-01-14,2024-01-15,1234,CAPITAL PAYMENT,Payment/Credit,,300.00',
    ]);
    expect(rows).toEqual(['2024-01-13 -5.25 COFFEE HOUSE', '2024-01-14 +300 CAPITAL PAYMENT']);
  });

  it('are read with negative credits and a status column', async () => {
    const { rows, interpretation } = await readExport([
      'Status,Date,Description,Debit,Credit',
      'Pending,01/17/2024,"GAS",40.00,',
      'Cleared,01/16/2024,"BOOKS",19.99,',
      'Cleared,01/15/2024,"ONLINE PAYMENT, THANK YOU",,-500.00',
    ]);
    expect(rows).toEqual([
      'line 2 skipped: it is pending',
      '2024-01-16 -19.99 BOOKS',
      '2024-01-15 +500 ONLINE PAYMENT, THANK YOU',
    ]);
    expect(interpretation.status).toBe('Status');
  });

  const withReversedSigns = [
    'Date,Description,Card Member,Account #,Amount',
    '01/20/2024,GROCER,ANN,-1001,52.10',
    '01/18/2024,AUTOPAY PAYMENT RECEIVED - THANK YOU,ANN,-1001,-500.00',
    '01/17/2024,BOOKS,ANN,-1001,9.99',
  ];

  it('are refused if a minus seems to mean money in, unless --minus sets its meaning', async () => {
    await expect(readExport(withReversedSigns)).rejects.toMatchObject({
      message: expect.stringContaining('AUTOPAY PAYMENT RECEIVED'),
      remedy: expect.stringContaining('--minus income'),
    });
    const { rows, interpretation } = await readExport(withReversedSigns, { minusMeans: 'income' });
    expect(rows).toEqual([
      '2024-01-20 -52.1 GROCER',
      '2024-01-18 +500 AUTOPAY PAYMENT RECEIVED - THANK YOU',
      '2024-01-17 -9.99 BOOKS',
    ]);
    expect(interpretation.signs).toBe('- is income (1 row), others are expenses (2 rows)');
    expect((await readExport(withReversedSigns, { minusMeans: 'expense' })).rows[0]).toBe('2024-01-20 +52.1 GROCER');
  });

  it('are refused if purchases have no sign and payments have a minus, unless --minus sets its meaning', async () => {
    const file = [
      'Transaction Date,Clearing Date,Description,Merchant,Category,Type,Amount (USD),Purchased By',
      '01/20/2024,01/21/2024,GROCER,Grocer,Food,Purchase,52.10,Ann',
      '01/18/2024,01/18/2024,ACH DEPOSIT INTERNET TRANSFER,Bank,Payment,Payment,-500.00,Ann',
    ];
    await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--minus') });
    expect((await readExport(file, { minusMeans: 'income' })).rows).toEqual([
      '2024-01-20 -52.1 USD GROCER',
      '2024-01-18 +500 USD ACH DEPOSIT INTERNET TRANSFER',
    ]);
  });
});

describe('exports of Canadian banks', () => {
  const withoutHeaders = [
    '01/15/2024,MTG PAYMENT,1200.00,,3800.00',
    '01/16/2024,PAYROLL,,2500.00,6300.00',
    '01/17/2024,GROCER,80.10,,6219.90',
  ];

  it('are read without headers if the balances show which column has the debits', async () => {
    const { rows, interpretation } = await readExport(withoutHeaders);
    expect(interpretation).toMatchObject({ debit: 'column 3', credit: 'column 4', description: 'column 2' });
    expect(rows).toEqual(['2024-01-15 -1200 MTG PAYMENT', '2024-01-16 +2500 PAYROLL', '2024-01-17 -80.1 GROCER']);
  });

  it('are read without headers, and the reader lists the unused columns by their numbers', async () => {
    const { interpretation } = await readExport(['2026-01-02,Shop,-20.00,X1,aaa', '2026-01-03,Pay,5.00,X2,bbb']);
    expect(interpretation['not used']).toBe('"column 4", "column 5"');
  });

  it('are refused without headers and balance, unless options name the positions of the columns', async () => {
    const file = withoutHeaders.map((line) => line.split(',').slice(0, 4).join(','));
    await expect(readExport(file)).rejects.toMatchObject({
      message: expect.stringContaining('column 1, column 2, column 3, column 4'),
      remedy:
        'Name it with --amount-column, or --debit-column and --credit-column, for example --amount-column "column 1".',
    });
    const columns = { debit: 'column 3', credit: 'column 4' };
    expect((await readExport(file, { columns })).rows[1]).toBe('2024-01-16 +2500 PAYROLL');
  });

  it('are refused with two columns of amounts in two currencies, unless only one of the columns is filled', async () => {
    const file = [
      '"Account Type","Account Number","Transaction Date","Cheque Number","Description 1","Description 2","CAD$","USD$"',
      'Chequing,12345-1234567,1/16/2024,,"GROCER","",-42.50,',
      'Chequing,12345-1234567,1/12/2024,,"PAYROLL","",2000.00,',
    ];
    expect((await readExport(file)).rows).toEqual(['2024-01-16 -42.5 CAD GROCER', '2024-01-12 +2000 CAD PAYROLL']);
    await expect(readExport([...file, 'Chequing,1,1/12/2024,,"US SHOP","",,-3.00'])).rejects.toMatchObject({
      remedy: expect.stringContaining('--amount-column'),
    });
  });
});

it('the CSV reader refuses a file in which a received payment has a minus, even if most amounts have a minus', async () => {
  const lines = [
    'date,title,amount',
    '2024-01-14,Mercado,42.13',
    '2024-01-16,Pagamento recebido,-500',
    '2024-01-18,Uber,-10',
  ];
  await expect(readExport(lines)).rejects.toThrow('See the sign of "Pagamento recebido".');
});

it.each(['REFUND', 'Rimborso', 'Gutschrift Amazon', 'Retoure Zalando', 'Amazon return', '（退款）商户'])(
  'the CSV reader refuses a statement in which half of the rows have a minus, and one of them is the refund "%s"',
  async (refund) => {
    const rowsOf = (sign: string) => [
      'Date,Description,Amount',
      '12/15/2025,NETFLIX,15.99',
      `12/14/2025,${refund},${sign}10.00`,
      '12/13/2025,GROCER,45.00',
      '12/12/2025,CAFE,-3.00',
    ];
    await expect(readExport(rowsOf('-'))).rejects.toMatchObject({
      message: `A minus may mean money in, as on some card statements. See the sign of "${refund}".`,
      remedy: 'Use --minus income if a minus is money in, or --minus expense if it is money out.',
    });
    const { rows } = await readExport(rowsOf('-'), { minusMeans: 'income' });
    expect(rows[0]).toBe('2025-12-15 -15.99 NETFLIX');
    expect((await readExport(rowsOf(''))).rows[1]).toBe(`2025-12-14 +10 ${refund}`);
  },
);

it('the CSV reader refuses a Discover card file in which only a cashback redemption has a minus, and quotes this row', async () => {
  await expect(
    readExport([
      'Trans. Date,Post Date,Description,Amount,Category',
      '01/13/2026,01/14/2026,"SHOP",12.50,"Merchandise"',
      '01/14/2026,01/15/2026,"CAFE",3.20,"Restaurants"',
      '01/20/2026,01/20/2026,"CASHBACK BONUS REDEMPTION",-25.00,"Awards and Rebate Credits"',
    ]),
  ).rejects.toMatchObject({ message: expect.stringContaining('CASHBACK BONUS REDEMPTION') });
});
