import { describe, expect, it } from 'vitest';
import { openCsvInTest as open } from '../../test-support/open-csv-in-test.js';
import { readInTest } from '../../test-support/read-statement.js';
import type { CsvOptions } from '../options.js';
import type { StatementRow } from '../statement.js';
import { StatementError } from '../statement-error.js';

async function rowsOf(content: string | Buffer, options: Partial<CsvOptions> = {}): Promise<StatementRow[]> {
  const rows: StatementRow[] = [];
  for await (const row of (await open(content, options)).rows()) rows.push(row);
  return rows;
}

/** Returns each row as `-8.78`, as `+5`, or as its outcome and reason. */
async function amountsOf(content: string | Buffer, options: Partial<CsvOptions> = {}): Promise<string[]> {
  const signs = { expense: '-', income: '+' };
  return (await rowsOf(content, options)).map((row) =>
    row.outcome === 'transaction'
      ? signs[row.transaction.direction] + row.transaction.amountDecimal
      : `${row.outcome}: ${row.reason}`,
  );
}

describe('the direction of an amount', () => {
  it('follows the sign if at least one amount of the file is negative', async () => {
    expect(await amountsOf('Date,Amount\n2026-01-13,-5.00\n2026-01-14,7.10')).toEqual(['-5', '+7.1']);
  });

  it('is expense if the amount has no sign, and other amounts have + or CR', async () => {
    expect(await amountsOf('Date,Amount\n2026-01-13,£5.00\n2026-01-14,+ £7.10\n2026-01-15,3 CR')).toEqual([
      '-5',
      '+7.1',
      '+3',
    ]);
  });

  it('is expense if the file has no sign at all, and the user must confirm this', async () => {
    const file = 'Date,Amount\n2026-01-13,5.00';
    expect(await amountsOf(file)).toEqual(['-5']);
    const columns = { date: 'Date', amount: 'Amount' };
    const named = await open(file, { columns });
    expect(named.interpretation?.question?.remedy).toMatch(
      /--direction-column.*--expense-word.*--income-word.*--all-expenses/,
    );
    expect(named.interpretation?.lines).toContainEqual(['signs', 'there are none: every amount is an expense']);
    expect((await open(file, { columns, allExpenses: true })).interpretation?.question).toBeNull();
  });

  it.each([
    ['Direction', 'out', 'in'],
    ['Type', 'Outflow', 'Inflow'],
    ['Transaction Type', 'withdrawal', 'deposit'],
    ['Debit/Credit', 'DEBIT', 'CREDIT'],
    ['Dr/Cr', 'Dr', 'Cr'],
    ['Bevétel/Kiadás', 'kiadás', 'bevétel'],
    ['Soll/Haben', 'S', 'H'],
    ['Af Bij', 'Af', 'Bij'],
    ['type', 'Paid out', 'Paid in'],
    ['Direction', 'expense', 'income'],
  ])('follows a column "%s" with the words "%s" and "%s", without flags', async (header, out, income) => {
    const file = `Date,Description,Amount,${header}\n2026-01-13,Tea,5.00,${out}\n2026-01-14,Pay,7.00,${income}`;
    expect(await amountsOf(file)).toEqual(['-5', '+7']);
  });

  it('follows the signs, and not a column "Type" in which only some words name a direction', async () => {
    const file = 'Date,Amount,Type\n2026-01-13,-5.00,TRANSFER\n2026-01-14,7,REFUND\n2026-01-15,-1,DEBIT';
    expect(await amountsOf(file)).toEqual(['-5', '+7', '-1']);
  });

  it('is read from debit and credit columns if one of them is empty or zero; a row with both amounts, or with neither, fails', async () => {
    const file = 'Date,Debit,Credit\n2026-01-13,5.00,\n2026-01-14,0.00,7.10\n2026-01-15,,\n2026-01-16,1,2';
    expect(await amountsOf(file)).toEqual([
      '-5',
      '+7.1',
      'failure: it has neither a debit nor a credit',
      'failure: it has both a debit and a credit',
    ]);
  });

  it('is expense for a negative debit if all debits are negative, and income if only one of two debits is negative', async () => {
    expect(await amountsOf('Date,Debit,Credit\n2026-01-13,-5.00,0.00\n2026-01-14,-6,0.00')).toEqual(['-5', '-6']);
    expect(await amountsOf('Date,Debit,Credit\n2026-01-13,-5.00,\n2026-01-14,6,')).toEqual(['+5', '-6']);
  });

  it('follows direction words in upper or lower case; only a row with an unknown word fails', async () => {
    const file = 'Date,Amount,Transaction Type\n2026-01-13,5.00,DEBIT\n2026-01-14,7,credit\n2026-01-15,8,fee';
    expect(await amountsOf(file)).toEqual([
      '-5',
      '+7',
      'failure: "fee" is not a known word for an expense or an income (--expense-word, --income-word)',
    ]);
    expect(await amountsOf(file, { expenseWords: ['fee', 'debit'] })).toEqual(['-5', '+7', '-8']);
  });

  it('is unknown, and the row fails, if the sign contradicts the direction word', async () => {
    const file = 'Date,Amount,Transaction Type\n2026-01-13,5.00,debit\n2026-01-14,-7,debit\n2026-01-15,-8,credit';
    expect(await amountsOf(file)).toEqual([
      '-5',
      'failure: the sign of "-7" contradicts "debit"',
      'failure: the sign of "-8" contradicts "credit"',
    ]);
  });

  it('follows the sign if the reader guessed the direction column, and knows none of its words', async () => {
    expect(await amountsOf('Date,Amount,Type\n2026-01-13,-5.00,POS\n2026-01-14,7,ATM')).toEqual(['-5', '+7']);
  });
});

it('the CSV reader lists the columns that it does not use', async () => {
  const { interpretation } = await open('Date,Amount,Balance,Reference No,\n2026-01-13,-5,100,x,\n');
  expect(interpretation?.lines).toContainEqual(['not used', '"Balance", "Reference No"']);
});

it('the CSV reader lists an unused column with texts but without a header by its position, so that a flag can name it', async () => {
  const { interpretation } = await open(
    'Date,Description,Amount,,\n2026-01-13,Card,-5,,\n2026-01-14,Card,-6,Bakery,\n',
  );
  expect(interpretation?.lines).toContainEqual(['not used', '"column 4"']);
});

it('the CSV reader shows the first transaction as it will be recorded', async () => {
  const { interpretation } = await open('Date,Text,Amount\nPending,Fuel,-1\n31/01/2026,Tea,-5.00\n');
  expect(interpretation?.lines).toContainEqual(['first row', 'line 3 is 2026-01-31, expense of 5: Tea']);
});

it('the CSV reader shows the first and last day and the exact totals for each currency', async () => {
  const { interpretation } = await open(
    'Date,Text,Amount,Currency\nPending,Fuel,-1,EUR\n03/07/2026,Pay,20,EUR\n02/07/2026,Tea,-0.10,EUR\n14/07/2026,Pie,-0.20,EUR\n05/07/2026,Rice,-900,JPY\n06/07/2026,Balance,900,EUR\n',
  );
  const shown = interpretation?.lines.filter(([label]) => label === 'totals').map(([, value]) => value);
  expect(shown).toEqual([
    '3 rows, 2026-07-02 to 2026-07-14, expenses 0.30 EUR, incomes 20.00 EUR',
    '1 row, 2026-07-05 to 2026-07-05, expenses 900 JPY, incomes 0 JPY',
  ]);
});

it('the CSV reader shows no totals if there is nothing to record', async () => {
  const { interpretation } = await open('Date,Text,Amount\nPending,Fuel,-1\n');
  expect(interpretation?.lines.map(([label]) => label)).not.toContain('totals');
});

it('the CSV reader suggests the date format that fits if --date-format fits no row', async () => {
  const { interpretation } = await open('Date,Amount\n01/31/2026,-5\n', { dateFormat: 'DD.MM.YYYY' });
  expect(interpretation?.advice).toBe(
    'No date of the file is written as DD.MM.YYYY; --date-format MM/DD/YYYY would fit.',
  );
});

describe('a malformed row', () => {
  it('fails alone, with its line and reason', async () => {
    const file = [
      'Date,Description,Amount',
      '2026-01-13,good,-1',
      'yesterday,bad date,-1',
      '2026-02-30,no such day,-1',
      '2026-01-13,bad amount,ten',
      '2026-01-13,zero,0.00',
      '2026-01-13,shifted, by a comma,-1',
      '2026-01-13,-1',
      '2026-01-13,no amount,',
      '2026-01-13,good,-2',
    ].join('\n');
    const rows = await rowsOf(file);
    expect(rows.map(({ line, outcome }) => `${line} ${outcome}`)).toEqual([
      '2 transaction',
      '3 failure',
      '4 failure',
      '5 failure',
      '6 skipped',
      '7 failure',
      '8 failure',
      '9 failure',
      '10 transaction',
    ]);
    expect(rows.flatMap((row) => (row.outcome === 'failure' ? [row.reason] : []))).toEqual([
      '"yesterday" is not a date written as YYYY-MM-DD',
      '"2026-02-30" is not a date written as YYYY-MM-DD',
      '"ten" is not an amount',
      'it has 4 cells, but there are 3 headers: put quotation marks around a cell that contains the delimiter, or record the row manually if it is a transaction',
      'it has 2 cells, but there are 3 headers: insert the missing delimiters in this line of the file, or record the row manually if it is a transaction',
      'it has no amount',
    ]);
  });

  it('is skipped if its date cell has the word "Pending"', async () => {
    expect(await amountsOf('Date,Amount\nPending,5.00\n2026-01-13,-7')).toEqual(['skipped: it is pending', '-7']);
  });
});

describe('openCsv', () => {
  const latin = Buffer.from('Date;Description;Amount\n13.01.2026;Müller;-1.234,50\n', 'latin1');

  it('detects delimiter, encoding, decimal comma and date format', async () => {
    const [row] = await rowsOf(latin);
    expect(row).toMatchObject({
      outcome: 'transaction',
      transaction: { occurredOn: '2026-01-13', description: 'Müller', amountDecimal: '1234.5', direction: 'expense' },
    });
  });

  it('ignores a byte order mark, and reads CRLF line breaks', async () => {
    expect(await amountsOf('\ufeffDate,Amount\r\n2026-01-13,-5\r\n')).toEqual(['-5']);
    expect(await amountsOf(Buffer.from('\ufeffDate,Amount\n2026-01-13,-5\n', 'utf16le'))).toEqual(['-5']);
  });

  it('finds the headers below a preamble, and counts lines as an editor does', async () => {
    const rows = await rowsOf('Account statement\nBalance,100\n\nDate,Amount\n2026-01-13,-5\n');
    expect(rows).toMatchObject([{ line: 5, outcome: 'transaction' }]);
  });

  it('refuses dates that fit two date formats, and names --date-format', async () => {
    const file = 'Date,Amount\n01/02/2026,-5\n';
    await expect(open(file)).rejects.toThrow(StatementError);
    await expect(open(file)).rejects.toMatchObject({ remedy: expect.stringContaining('--date-format MM/DD/YYYY') });
    expect(await amountsOf(file, { dateFormat: 'DD/MM/YYYY' })).toEqual(['-5']);
  });

  it('refuses ambiguous amounts, and shows how each value of --decimal-separator would read them', async () => {
    const file = 'Date;Amount\n2026-01-13;-1,234\n';
    await expect(open(file)).rejects.toMatchObject({
      message: 'The amount "-1,234" can have a thousands separator, or three decimal places.',
      remedy: 'Choose one: --decimal-separator . reads it as -1234, and --decimal-separator , as -1.234.',
    });
    expect(await amountsOf(file, { decimalSeparator: ',' })).toEqual(['-1.234']);
  });

  it('refuses a file whose columns it cannot identify, an empty file, and a file that is not text', async () => {
    await expect(open('Alpha,Beta\n1,2\n')).rejects.toThrow('Alpha, Beta');
    await expect(open('')).rejects.toThrow('is empty');
    await expect(open(Buffer.from([1, 0, 2]))).rejects.toThrow('is not a text file');
  });

  it('reads the columns that options name, and no column for an option with an empty value', async () => {
    const file = 'When,What,How much,Category\n2026-01-13,Tea,-5,Food\n';
    const columns = { date: 'when', amount: 'HOW MUCH', description: 'What', category: '' };
    expect(await rowsOf(file, { columns })).toMatchObject([
      { transaction: { description: 'Tea', categoryName: null } },
    ]);
    await expect(open(file, { columns: { date: 'Nope' } })).rejects.toThrow('no column "Nope"');
  });
});

it('the CSV reader reports a row as failed if a missing closing quote makes it include the rows below it', async () => {
  const { lines, rows } = await readInTest(
    'Date,Description,Amount\n2026-05-01,"Coffee,-1.00\n2026-05-02,Tea,-2.00\n2026-05-03,Bread",-3.00\n2026-05-04,Milk,-4.00\n',
  );
  expect(lines).toEqual(['2026-05-04 -4 Milk']);
  expect(rows[0]).toMatchObject({ outcome: 'failure', reason: expect.stringContaining('"2026-05-02,Tea,-2.00"') });
});
