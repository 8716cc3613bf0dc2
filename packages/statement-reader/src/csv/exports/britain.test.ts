import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it('the CSV reader reads a British account with debit and credit amounts', async () => {
  const { rows } = await readExport([
    'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance',
    "16/01/2024,DEB,'11-22-33,12345678,TESCO STORES,12.50,,987.50",
    "15/01/2024,FPI,'11-22-33,12345678,ANN SMITH,,100.00,1000.00",
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 TESCO STORES', '2024-01-15 +100 ANN SMITH']);
});

it('the CSV reader reads the amount below the header " Value", and keeps an apostrophe at the beginning of a text', async () => {
  const { rows } = await readExport([
    'Date, Type, Description, Value, Balance, Account Name, Account Number',
    '16/01/2024,POS,"\'1234 16JAN24 , TESCO , LONDON GB",-12.50,987.50,"\'SMITH A","\'112233-12345678",',
    '15/01/2024,BAC,"\'ACME LTD , SALARY",1000.00,1000.00,"\'SMITH A","\'112233-12345678",',
  ]);
  expect(rows).toEqual(["2024-01-16 -12.5 '1234 16JAN24 , TESCO , LONDON GB", "2024-01-15 +1000 'ACME LTD , SALARY"]);
});

it('the CSV reader reads a memo with many spaces and tabs', async () => {
  const { rows } = await readExport([
    'Number,Date,Account,Amount,Subcategory,Memo',
    '   ,16/01/2024,20-11-22 12345678,-12.50,PAYMENT,"TESCO STORES     \tON 15 JAN          CPM"',
    '   ,15/01/2024,20-11-22 12345678,1000.00,DIRECTDEP,ACME SALARY  \tREF',
  ]);
  expect(rows).toMatchObject(
    [/2024-01-16 -12\.5 TESCO/, /2024-01-15 \+1000 ACME/].map((text) => expect.stringMatching(text)),
  );
});

it('the CSV reader reads a text over two lines in a file without headers', async () => {
  const { rows } = await readExport([
    '16/01/2024,"TESCO STORES 1234\nLONDON",-12.50',
    '15/01/2024,ACME SALARY,"1,000.00"',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 TESCO STORES 1234\nLONDON', '2024-01-15 +1000 ACME SALARY']);
});

it('the CSV reader reads a Windows-1252 file with pound signs in "Paid out" and "Paid in", below three lines about the account', async () => {
  const lines = [
    '"Account Name:","Current ****12345"',
    '"Account Balance:","£987.50"',
    '"Available Balance: ","£987.50"',
    '',
    '"Date","Transaction type","Description","Paid out","Paid in","Balance"',
    '"16 Jan 2024","Visa purchase","TESCO","£12.50","","£987.50"',
    '"15 Jan 2024","Bank credit","ACME","","£1,000.00","£1000.00"',
  ];
  const { rows, interpretation } = await readExport(Buffer.from(lines.join('\n'), 'latin1'));
  expect(rows).toEqual(['2024-01-16 -12.5 TESCO', '2024-01-15 +1000 ACME']);
  expect(interpretation).toMatchObject({ encoding: 'windows-1252', 'date format': 'DD-MMM-YYYY'.replaceAll('-', ' ') });
});

it('the CSV reader reads the currency from the header "Amount (GBP)", and the category from "Spending Category"', async () => {
  const { rows, interpretation } = await readExport([
    'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes',
    '16/01/2024,Tesco,TESCO 1234,CARD PAYMENT,-12.50,987.50,GROCERIES,',
    '15/01/2024,Acme,SALARY,FASTER PAYMENT,1000.00,1000.00,INCOME,',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 GBP TESCO 1234', '2024-01-15 +1000 GBP SALARY']);
  expect(interpretation).toMatchObject({
    amount: 'Amount (GBP)',
    merchant: 'Counter Party',
    category: 'Spending Category',
  });
  expect(interpretation.direction).toBeUndefined();
});

it('the CSV reader reads the amount column of a file that also has columns for money out and in', async () => {
  const { rows } = await readExport([
    'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,Local currency,Notes and #tags,Address,Receipt,Description,Category split,Money Out,Money In',
    'tx_1,16/01/2024,10:00:00,Card payment,Tesco,🛒,Groceries,-12.50,GBP,-12.50,GBP,,,,TESCO 1234,,-12.50,',
    'tx_2,15/01/2024,09:00:00,Faster payment,Acme,,Income,1000.00,GBP,1000.00,GBP,,,,SALARY,,,1000.00',
  ]);
  expect(rows).toEqual(['2024-01-16 -12.5 GBP TESCO 1234', '2024-01-15 +1000 GBP SALARY']);
});

it('the CSV reader refuses dates that are all ambiguous, unless a value date has a day above twelve', async () => {
  const file = ['Date,Description,Amount', '01/02/2024,TESCO,-12.50', '03/02/2024,ACME,1000.00'];
  await expect(readExport(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--date-format') });
  const dated = [
    'Date,Value Date,Description,Amount',
    '01/02/2024,31/01/2024,TESCO,-12.50',
    '03/02/2024,04/02/2024,ACME,1000.00',
  ];
  const { rows, interpretation } = await readExport(dated);
  expect(rows).toEqual(['2024-02-01 -12.5 TESCO', '2024-02-03 +1000 ACME']);
  expect(interpretation['date format']).toBe('DD/MM/YYYY (according to another column of dates)');
});
