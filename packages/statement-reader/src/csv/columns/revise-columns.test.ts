import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a column whose header names a date', () => {
  it('is not read as the date if it is empty in all rows', async () => {
    const { rows, interpretation } = await readExport([
      'Booking date,Value date,Date of purchase,Text,Amount',
      ',,2024-03-13,Grocer,-20.00',
      ',,2024-03-14,Salary,500.00',
    ]);
    expect(rows).toEqual(['2024-03-13 -20 Grocer', '2024-03-14 +500 Salary']);
    expect(interpretation.date).toBe('Date of purchase');
  });

  it('is not read as the date if it is empty in most rows and another column has dates in all rows', async () => {
    const { rows, interpretation } = await readExport([
      'Run Date,Action,Amount ($),Settlement Date',
      '12/31/2025,REINVESTMENT,-2535.64,',
      '12/31/2025,DIVIDEND,640.24,',
      '11/26/2025,SOLD,3336.36,11/28/2025',
    ]);
    expect(rows).toEqual([
      '2025-12-31 -2535.64 REINVESTMENT',
      '2025-12-31 +640.24 DIVIDEND',
      '2025-11-26 +3336.36 SOLD',
    ]);
    expect(interpretation.date).toBe('Run Date');
  });

  it('is read as the date if it is the "Run Date" of a Fidelity export, even if all rows have a settlement date', async () => {
    const header = 'Run Date,Action,Amount ($),Settlement Date';
    const sold = '11/26/2025,YOU SOLD APPLE INC (AAPL) (Cash),3336.36,11/28/2025';
    const bought = '11/25/2025,YOU BOUGHT XY CORP (XY) (Cash),-250.00,11/26/2025';
    const dividend = '11/28/2025,DIVIDEND RECEIVED,640.24,';
    const expected = [
      '2025-11-26 +3336.36 YOU SOLD APPLE INC (AAPL) (Cash)',
      '2025-11-25 -250 YOU BOUGHT XY CORP (XY) (Cash)',
    ];
    expect((await readExport([header, sold, bought])).rows).toEqual(expected);
    const next = await readExport([header, dividend, sold, bought]);
    expect(next.rows).toEqual(['2025-11-28 +640.24 DIVIDEND RECEIVED', ...expected]);
  });

  it('is not read as the date if it is empty in a row and the column of booking dates has dates in all rows', async () => {
    const { interpretation } = await readExport([
      'Data księgowania;Data operacji;Kwota',
      '2026-01-01;2026-01-01;812,62',
      '2026-01-03;;-404,25',
      '2026-01-05;2026-01-04;-1,00',
    ]);
    expect(interpretation.date).toBe('Data księgowania');
  });

  it('is read as the date if its header is "Posting date", even if one of its cells is empty; the row of this cell fails', async () => {
    const { rows, interpretation } = await readExport([
      'Posting date,Value date,Amount',
      '2026-01-01,2026-01-01,812.62',
      ',2026-01-03,-404.25',
      '2026-01-05,2026-01-05,-1.00',
    ]);
    expect(interpretation.date).toBe('Posting date');
    expect(rows[1]).toBe('line 3 failure: it has no date');
  });
});

it('the CSV reader ignores the columns "income" and "expenses" if they repeat totals in each row, and reads "amount"', async () => {
  const { rows } = await readExport([
    'income,expenses,description,date,amount',
    '1500.00,500.00,A,2019-11-02,1500.00',
    '1500.00,500.00,B,2019-11-10,-500.00',
  ]);
  expect(rows).toEqual(['2019-11-02 +1500 A', '2019-11-10 -500 B']);
});

describe('a CSV file with columns of gross amounts, fees, net amounts and taxes', () => {
  const lines = ['Date,Name,Gross,Fee,Net,Sales Tax', '2024-03-13,Shop,-20.00,0.00,-20.00,0.00'];

  it('is read with the net amounts if every tax is zero or empty', async () => {
    const { rows } = await readExport([...lines, '2024-03-14,Client,500.00,-5.00,495.00,']);
    expect(rows).toEqual(['2024-03-13 -20', '2024-03-14 +495']);
  });

  it('is refused as ambiguous if the tax of a row is not zero', async () => {
    await expect(readExport([...lines, '2024-03-14,Client,500.00,-5.00,495.00,80.00'])).rejects.toThrow('not clear');
  });
});

describe('a file with a column of currency codes', () => {
  it('is read with the currency of that column if the file has no headers', async () => {
    const { rows } = await readExport(['2014-02-10,Interest,12.55,CAD', '2013-07-02,Dividend,38.70,USD']);
    expect(rows).toEqual(['2014-02-10 -12.55 CAD Interest', '2013-07-02 -38.7 USD Dividend']);
  });

  it('is read with the currency of that column if the headers are Lithuanian, and its opening balance is skipped', async () => {
    const { rows } = await readExport([
      'Data,Paaiškinimai,Suma,Valiuta',
      '2012-01-01,Likutis pradžiai,2123.82,LTL',
      '2012-01-02,Pirkinys,-14.34,LTL',
    ]);
    expect(rows).toEqual(['line 2 skipped: it is a balance ("Likutis pradžiai")', '2012-01-02 -14.34 LTL Pirkinys']);
  });

  it('is read with the codes beside the amount if it has two columns of codes and no headers', async () => {
    const { interpretation, rows } = await readExport([
      '2014-02-10,Interest,12.55,CAD,USD',
      '2013-07-02,Dividend,38.70,USD,USD',
    ]);
    expect(interpretation.currency).toBe('column 4');
    expect(rows).toEqual(['2014-02-10 -12.55 CAD Interest', '2013-07-02 -38.7 USD Dividend']);
  });

  it('is read without a currency if it has two columns of codes, neither of them beside the amount, and no headers', async () => {
    const { interpretation } = await readExport([
      '2014-02-10,12.55,Interest,CAD,USD',
      '2013-07-02,38.70,Dividend,USD,USD',
    ]);
    expect(interpretation.currency).toBeUndefined();
  });
});

describe('the headers of an export', () => {
  it.each([
    ['Data;Causale;Importo entrate;Importo uscite', '13/03/2024;Shop;;20,00', '2024-03-13 -20 Shop'],
    ['Bokföringsdag;Text/mottagare;Belopp', '2024-03-13;Shop;-20,00', '2024-03-13 -20 Shop'],
    ['Дата и час;Опис;Сума', '13.03.2024 10:15:59;Shop;-20,00', '2024-03-13 -20 Shop'],
    ['Date;Booking text;Montant', '2024-03-13;Shop;-20.00', '2024-03-13 -20 Shop'],
    ['Date;Remarque;Montant', '2024-03-13;Shop;-20.00', '2024-03-13 -20 Shop'],
    ['Datum;Transaktionsbeschreibung;Betrag', '13.03.2024;Shop;-20,00', '2024-03-13 -20 Shop'],
    ['Datum;Name;Brutto;Gebühr;Netto', '13.03.2024;Shop;-20,00;-1,00;-21,00', '2024-03-13 -21'],
    ['Datum verrichting;Handelaar;Bedrag in EUR', '13/03/2024;Shop;-20,00', '2024-03-13 -20 EUR'],
  ])('are recognized as date, text and amount: %s', async (header, row, expected) => {
    const { rows, interpretation } = await readExport([header, row]);
    expect(rows).toEqual([expected]);
    expect(interpretation.description ?? interpretation.merchant).toBeDefined();
  });
});
