import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const failure = (line: number, cells: number, headers: number) =>
  `line ${line} failure: it has ${cells} cells, but there are ${headers} headers: ${
    cells < headers
      ? 'insert the missing delimiters in this line of the file'
      : 'put quotation marks around a cell that contains the delimiter'
  }, or record the row manually if it is a transaction`;

describe('a row with missing cells at its end', () => {
  it('is read if no used column is missing', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Note,Tag',
      '2024-03-13,Grocer,-20.00,a,b',
      '2024-03-14,Salary,500.00',
      '2024-03-15,Phone,-35.50,x',
      '2024-03-18,Bakery,-4.20,,,',
    ]);
    expect(rows).toEqual([
      '2024-03-13 -20 Grocer',
      '2024-03-14 +500 Salary',
      '2024-03-15 -35.5 Phone',
      '2024-03-18 -4.2 Bakery',
    ]);
  });

  it('fails if the cell in the description column could be the amount', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Balance',
      '2024-03-13,Grocer,-20.00,980.00',
      '2024-03-14,-5.00,975.00',
    ]);
    expect(rows[1]).toBe(failure(3, 3, 4));
  });

  it('fails if a missing cell may be the debit or the credit', async () => {
    const { rows } = await readExport([
      'Date,Text,Debit,Credit,Note',
      '2024-03-13,Grocer,20.00,,x',
      '2024-03-14,Pay,5.00',
      '2024-03-15,Pay,,5.00',
      '2024-03-16,20.00,5.00,x',
    ]);
    expect(rows).toEqual(['2024-03-13 -20 Grocer', failure(3, 3, 5), '2024-03-15 +5 Pay', failure(5, 4, 5)]);
  });

  it('fails if its status is missing', async () => {
    const { rows } = await readExport([
      'Date,Text,Amount,Currency,Status',
      '2024-03-13,Grocer,-20.00,EUR,booked',
      '2024-03-14,Pay,5.00,EUR',
    ]);
    expect(rows[1]).toBe(failure(3, 4, 5));
  });
});

describe('a row whose text has a comma without quotes', () => {
  it.each([
    'Date,Description,Amount,Category,Note\n2026-01-15,Via Roma, 12,-12.50,Food,',
    'Date,Description,Amount,Category,Note\n2026-01-15,Via Roma, 12,-12.50,Food',
    'Date,Description,Amount,Note\n2026-01-15,Shop, 7,-12.50,',
  ])('fails if the end of the text would be read as the amount: %j', async (file) => {
    const { rows } = await readExport([...file.split('\n'), '2026-01-16,Salary,2500.00,,']);
    expect(rows[0]).toMatch(
      /^line 2 failure: its amount may be "-12.50", because " \d+" may belong to the text before it$/,
    );
  });

  it('is not assumed if the amount and the balance begin with a space', async () => {
    const { rows } = await readExport([
      'Date,Description,Amount,Balance',
      '2026-01-15,Shop,-12.00, 112.00',
      '2026-01-16,Shop, 7, 119.00',
    ]);
    expect(rows).toEqual(['2026-01-15 -12 Shop', '2026-01-16 +7 Shop']);
  });
});

describe('a row with surplus cells', () => {
  it('is read if the surplus cells are texts at its end', async () => {
    const { rows } = await readExport([
      'Datum;Betrag;Text',
      '13.03.2024;-20,00;Grocer;Hauptstrasse 1;Bern',
      '14.03.2024;500,00;Salary',
      '15.03.2024;-35,50;Phone;Nr. 7',
    ]);
    expect(rows).toEqual(['2024-03-13 -20 Grocer', '2024-03-14 +500 Salary', '2024-03-15 -35.5 Phone']);
  });

  it.each([
    ['an unquoted thousands separator', 'Date,Text,Amount', '2024-03-13,Shop,-1,234.56', 4, 3],
    ['an unquoted decimal comma', 'Date,Text,Amount', '2024-03-13,Shop,-20,00', 4, 3],
    ['an unquoted comma in a text with a number', 'Date,Text,Amount,Balance', '2024-03-13,Shop, 5,-4.00,100.00', 5, 4],
    ['an empty cell before the amounts', 'Date,Debit,Credit,Text', '2024-03-13,,20.00,,Shop', 5, 4],
  ])('fails if the surplus cell comes from %s', async (_, headers, row, cells, width) => {
    const { rows } = await readExport([headers, row]);
    expect(rows[0]).toBe(failure(2, cells, width));
  });
});

describe('a row with a quote that is not closed', () => {
  const reason = (row: string) => `line 2 failure: a quote may be missing, because a cell contains the row "${row}"`;

  it('fails if a quote in the next row closes it', async () => {
    const { rows } = await readExport([
      'Date;Description;Amount',
      '13/05/2026;"ABC STORE;-100,00',
      '14/05/2026;XYZ STORE";-200,00',
      '15/05/2026;Refund;50,00',
    ]);
    expect(rows).toEqual([reason('14/05/2026;XYZ STORE'), '2026-05-15 +50 Refund']);
  });

  it('fails if its cell contains a whole row', async () => {
    const { rows } = await readExport([
      'Date;Description;Amount',
      '13/05/2026;"ABC STORE;-100,00',
      '14/05/2026;XYZ STORE;-200,00',
      '15/05/2026;Refund";50,00',
    ]);
    expect(rows).toEqual([reason('14/05/2026;XYZ STORE;-200,00')]);
  });

  it('fails if the quote is before the date', async () => {
    const { rows } = await readExport([
      'Text;Date;Amount',
      '"REWE;12.03.2026;-35,00',
      'ALDI";13.03.2026;-30,00',
      'LIDL;14.03.2026;-3,00',
    ]);
    expect(rows).toEqual([reason('REWE;12.03.2026;-35,00'), '2026-03-14 -3 LIDL']);
  });

  it('is not assumed for a text of several lines that contains a date', async () => {
    const { rows } = await readExport([
      'Date;Description;Amount',
      '13/05/2026;"Card 1234; SHOP',
      '13.05.2026 12:30; Berlin";-100,00',
    ]);
    expect(rows).toEqual([expect.stringMatching(/^2026-05-13 -100 Card 1234; SHOP/)]);
  });
});
