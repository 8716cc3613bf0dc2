import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const lines = ['2024.III.13,Grocer,-20.00', '2024-03-14,Salary,500.00', '2024-03-15,Phone,-35.50'];

it('the CSV reader refuses a file without headers whose first date is in an unknown format', async () => {
  await expect(readExport(lines)).rejects.toMatchObject({
    message: 'The first row has "2024.III.13" in "column 1", which is not a date in a known format.',
    remedy: expect.stringContaining('--date-format'),
  });
});

it('the CSV reader reports the first row of a file without headers as failed if its date does not fit --date-format', async () => {
  const { rows, interpretation } = await readExport(lines, { dateFormat: 'YYYY-MM-DD' });
  expect(rows).toEqual([
    'line 1 failure: "2024.III.13" is not a date written as YYYY-MM-DD',
    '2024-03-14 +500 Salary',
    '2024-03-15 -35.5 Phone',
  ]);
  expect(interpretation.lines).toBe('3: no header, 3 rows');
});

it('the CSV reader refuses a file without headers whose first date is "3 of Mai", instead of reading the first row as the headers', async () => {
  await expect(
    readExport(['3 of Mai,Tea,-5.0', '2024-03-14,Salary,500.00', '2024-03-15,Phone,-35.50']),
  ).rejects.toThrow('The first row has "3 of Mai"');
});

it('the CSV reader does not read a preamble line with two names and empty cells as the headers of the table', async () => {
  const { interpretation } = await readExport([
    'Konto,Saldo,,,,',
    '123,55.00,,,,',
    'Kdy,Kam,Za1,Proč,Kdo,Co',
    '2024-03-14,Salary,500.00,a,b,c',
    '2024-03-15,Phone,-35.50,a,b,c',
  ]);
  expect(interpretation).toMatchObject({ date: 'Kdy', amount: 'Za1', lines: '5: 1 header, 2 rows, 2 left out' });
});

it('the CSV reader refuses a file without readable rows if three lines have an amount, and returns no rows if two lines have one', async () => {
  const table = [
    'ТИП КАРТЫ |ДАТА |СУММА',
    '----------+-----+-----',
    'MAESTRO 26МАР 231670 RUR 150.00',
    'MAESTRO 27МАР 231671 RUR 99.50',
    'MAESTRO 28МАР 231672 RUR 10.00',
  ];
  await expect(readExport(table)).rejects.toThrow('but 3 lines have an amount');
  expect((await readExport(table.slice(0, 4))).rows).toEqual([]);
});

it('the CSV reader finds the header row and its columns below a preamble, even if none of the headers is known', async () => {
  const { interpretation } = await readExport([
    'Konto 12,,',
    'Kdy,Kam,Za1',
    '2024-03-14,Salary,500.00',
    '2024-03-15,Phone,-35.50',
  ]);
  expect(interpretation).toMatchObject({ date: 'Kdy', amount: 'Za1', lines: '4: 1 header, 2 rows, 1 left out' });
});

it('the CSV reader refuses a file whose amount column is ambiguous, and shows the first three rows with their column numbers', async () => {
  const rows = ['2024-03-13,Grocer,-20.00,-21.50', '2024-03-14,Salary,500.00,540.00', '2024-03-15,Phone,-35.50,-39.00'];
  await expect(readExport([...rows, '2024-03-16,Bakery,-4.00,-4.30'])).rejects.toMatchObject({
    message:
      'It is not clear which column has the amount. The columns: column 1, column 2, column 3, column 4. ' +
      'Row 1 has column 1 "2024-03-13", column 2 "Grocer", column 3 "-20.00", column 4 "-21.50"; ' +
      'row 2 has column 1 "2024-03-14", column 2 "Salary", column 3 "500.00", column 4 "540.00"; ' +
      'row 3 has column 1 "2024-03-15", column 2 "Phone", column 3 "-35.50", column 4 "-39.00".',
    remedy: expect.stringContaining('--amount-column'),
  });
});

it('the CSV reader refuses a file whose amount column is ambiguous, and lists columns with text even if they have no header', async () => {
  const file = ['Datum,Omschrijving,Wijziging,,Saldo,,', '2026-01-27,Dividend,EUR,"0,19",EUR,"13,88",'];
  await expect(readExport(file)).rejects.toThrow(
    'It is not clear which column has the amount. The headers: Datum, Omschrijving, Wijziging, column 4, Saldo, column 6.',
  );
});

it('the CSV reader refuses a file without headers whose dates are all unreadable, and lists its columns by number', async () => {
  await expect(readExport(['13 brumaire an 232,Grocer,-20.00', '14 brumaire an 232,Salary,500.00'])).rejects.toThrow(
    'column 1, column 2, column 3',
  );
});

describe('a row above the headers', () => {
  const rows = ['13/01/2026,SHOP,-45.12', '14/01/2026,BAR,-3.50'];

  it('makes the CSV reader refuse the file, because the row may be a transaction', async () => {
    const lines = [...rows, 'Date,Description,Amount', '15/01/2026,SALARY,2500.00', '16/01/2026,RENT,-700.00'];
    await expect(readExport(lines)).rejects.toMatchObject({
      message: 'Line 1 may be a transaction, but it is above the headers in line 3.',
      remedy: 'Move the headers above all rows.',
    });
    await expect(readExport([...rows, 'Date,Description,Amount'])).rejects.toThrow('above the headers in line 3');
  });

  it('is left out if it names a balance', async () => {
    const lines = ['01/01/2026,Opening balance,100.00', 'Date,Description,Amount', '15/01/2026,RENT,-700.00'];
    expect((await readExport(lines)).rows).toEqual(['2026-01-15 -700 RENT']);
  });
});

it('the CSV reader leaves out a table above the headers that has a balance in the column of the amounts', async () => {
  const { rows } = await readExport([
    'Umsätze ab;Enddatum;Kontonummer;Saldo;Währung',
    '01.01.2024;15.02.2024;1234567;12.345,67;EUR',
    '',
    'Buchungstag;Wertstellungstag;Verwendungszweck;Umsatz;Währung',
    '20.01.2024;20.01.2024;MCDONALDS;-11,99;EUR',
    '21.01.2024;21.01.2024;GEHALT;2.432,10;EUR',
  ]);
  expect(rows).toEqual(['2024-01-20 -11.99 EUR MCDONALDS', '2024-01-21 +2432.1 EUR GEHALT']);
});

it.each(['INITIAL_BALANCE;CREDITS;DEBITS;FINAL_BALANCE', 'Balance;Credits;Debits;Amount'])(
  'the CSV reader leaves out a summary above the headers of the transactions: %s',
  async (summary) => {
    const { interpretation, rows } = await readExport([
      summary,
      '1.000,00;500,00;-200,00;1.300,00',
      '',
      'RELEASE_DATE;TRANSACTION_TYPE;REFERENCE_ID;TRANSACTION_NET_AMOUNT;PARTIAL_BALANCE',
      '13-03-2026;Pago de servicios;1001;-200,00;800,00',
      '14-03-2026;Transferencia recibida;1002;500,00;1.300,00',
      '15-03-2026;Compra;1003;-50,00;1.250,00',
    ]);
    expect(interpretation).toMatchObject({ date: 'RELEASE_DATE', amount: 'TRANSACTION_NET_AMOUNT' });
    expect(rows).toEqual(['2026-03-13 -200', '2026-03-14 +500', '2026-03-15 -50']);
  },
);

it('the CSV reader shows headers without their extra spaces', async () => {
  const narration = `Narration${' '.repeat(90)}`;
  const { interpretation } = await readExport([
    `  Date     ,${narration},Value Dat,Debit Amount       ,Credit  Amount      ,Chq/Ref   Number`,
    ' 13/04/2026  ,Grocer,13/04/2026 ,412.00,0.00,7',
  ]);
  expect(interpretation).toMatchObject({ date: 'Date', description: 'Narration', credit: 'Credit Amount' });
  expect(interpretation['not used']).toBe('"Value Dat", "Chq/Ref Number"');
});

it('the CSV reader finds the headers above the transactions even if a total below the transactions looks like headers', async () => {
  const { rows } = await readExport([
    'Statement,Header,Field Name,Field Value',
    'Statement,Data,BrokerName,Interactive Brokers',
    'Deposits & Withdrawals,Header,Currency,Settle Date,Description,Amount',
    'Deposits & Withdrawals,Data,EUR,2026-07-01,Electronic Fund Transfer,1000',
    'Deposits & Withdrawals,Data,EUR,2026-07-15,Disbursement Initiated by X,-200',
    'Deposits & Withdrawals,Data,Total,,,800',
  ]);
  expect(rows).toEqual([
    '2026-07-01 +1000 EUR Electronic Fund Transfer',
    '2026-07-15 -200 EUR Disbursement Initiated by X',
    'line 6 failure: it has no date',
  ]);
});
