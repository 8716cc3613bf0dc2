import { describe, expect, it } from 'vitest';
import { mappingsInMemory, openCsvInTest as open } from '../../../test-support/open-csv-in-test.js';
import type { CsvOptions } from '../../options.js';

describe('a column mapping', () => {
  const file = 'When,What,How much\n01/02/2026,Tea,-5\n';
  const columns = { date: 'When', amount: 'How much', description: 'What' };

  it('needs confirmation if the date or amount column was guessed, but not if options name both', async () => {
    expect((await open('Date,Amount\n2026-01-13,-5\n')).interpretation?.question).not.toBeNull();
    const named = await open(file, { columns, dateFormat: 'DD/MM/YYYY' });
    expect(named.interpretation?.question).toBeNull();
  });

  it('is applied to the next file with the same headers, without flags', async () => {
    const mappings = mappingsInMemory();
    await (await open(file, { columns, dateFormat: 'DD/MM/YYYY' }, mappings)).interpretation?.save?.();
    const next = await open('WHEN,what,How much\n03/02/2026,Cake,-7\n', {}, mappings);
    expect(next.interpretation?.question).toBeNull();
    const rows = [];
    for await (const row of next.rows()) rows.push(row);
    expect(rows).toMatchObject([{ transaction: { occurredOn: '2026-02-03', description: 'Cake' } }]);
  });

  const savedFor = async (content: string, options: Partial<CsvOptions>) => {
    const mappings = mappingsInMemory();
    await (await open(content, options, mappings)).interpretation?.save?.();
    return mappings;
  };
  const lineOf = (statement: Awaited<ReturnType<typeof open>>, label: string) =>
    statement.interpretation?.lines.find(([name]) => name === label)?.[1];

  it('is reported with the flag --no-saved-mapping, which disables it, and is ignored if this flag is set', async () => {
    const mappings = await savedFor(file, { columns, dateFormat: 'DD/MM/YYYY' });
    const next = await open(file, {}, mappings);
    expect(lineOf(next, 'mapping')).toContain('--no-saved-mapping');
    await expect(open(file, { ignoresSaved: true }, mappings)).rejects.toThrow('not clear');
    expect(lineOf(await open(file, { columns, dateFormat: 'DD/MM/YYYY' }), 'mapping')).toBeUndefined();
  });

  it('decides between two date formats that both fit, which is reported; a saved format that contradicts the dates is not used', async () => {
    const mappings = await savedFor(file, { columns, dateFormat: 'DD/MM/YYYY' });
    expect(lineOf(await open(file, {}, mappings), 'date format')).toBe(
      'DD/MM/YYYY (as saved; the dates of this file can also be read as MM/DD/YYYY)',
    );
    const american = 'When,What,How much\n01/31/2026,Tea,-5\n';
    expect(lineOf(await open(american, {}, mappings), 'date format')).toBe(
      'MM/DD/YYYY (the dates contradict the saved DD/MM/YYYY)',
    );
  });

  it('does not set the date format or decimal separator for another account, which may be at another bank', async () => {
    const mappings = await savedFor(file, { columns, dateFormat: 'DD/MM/YYYY', account: 'Checking' });
    expect(lineOf(await open(file, { account: 'checking' }, mappings), 'date format')).toContain(
      'DD/MM/YYYY (as saved',
    );
    await expect(open(file, { account: 'Savings' }, mappings)).rejects.toThrow('can be read as');
    const amounts = 'When,What,How much\n2026-01-13,Tea,"-5,250"\n';
    await expect(open(amounts, { account: 'Savings' }, mappings)).rejects.toMatchObject({
      remedy: expect.stringContaining('--decimal-separator'),
    });
  });

  it('does not set the decimal separator if the amounts contradict it, or if --date-format is not the saved format', async () => {
    const mappings = await savedFor('When;What;How much\n13.01.2026;Tea;-5,50\n', { columns });
    const next = await open('When;What;How much\n13.01.2026;Tea;-5.25\n', {}, mappings);
    expect(lineOf(next, 'decimals')).toBe('1,234.56');
    const ambiguous = 'When;What;How much\n2026-01-13;Tea;-5,250\n';
    expect(lineOf(await open(ambiguous, {}, mappings), 'decimals')).toBe('1.234,56');
    await expect(open(ambiguous, { dateFormat: 'YYYY-MM-DD' }, mappings)).rejects.toMatchObject({
      remedy: expect.stringContaining('--decimal-separator'),
    });
  });

  it('is used for the columns that no flag names', async () => {
    const mappings = await savedFor(file, { columns, dateFormat: 'DD/MM/YYYY' });
    const next = await open(file, { columns: { description: '' } }, mappings);
    expect(lineOf(next, 'description')).toBe('none: rows will have no text');
    expect(lineOf(next, 'not used')).toBe('"What"');
    expect(lineOf(next, 'amount')).toBe('column "How much"');
  });

  it('saves the confirmation that amounts without signs are expenses, so that the next file needs none', async () => {
    const bare = 'When,What,How much\n2026-01-13,Tea,5\n';
    const mappings = await savedFor(bare, { columns });
    expect((await open(bare, {}, mappings)).interpretation?.question).toBeNull();
  });

  it('must be confirmed for each file without headers, which may come from another bank', async () => {
    const file = '2026-01-13,Tea,5.00,\n2026-01-14,Pay,,7.00\n';
    const columns = { debit: 'column 3', credit: 'column 4' };
    const mappings = await savedFor(file, { columns });
    const next = await open(file, {}, mappings);
    expect(lineOf(next, 'credit')).toBe('column "column 4"');
    expect(next.interpretation?.question).not.toBeNull();
  });

  it('saves the meaning of a minus for the next file with the same headers', async () => {
    const card = 'When,What,How much\n2026-01-13,Tea,5\n2026-01-14,PAYMENT - THANK YOU,-5\n';
    const mappings = await savedFor(card, { columns, minusMeans: 'income' });
    expect(lineOf(await open(card, {}, mappings), 'signs')).toContain('- is income');
  });

  const cardRows = 'Date,Details,Amount\n2026-01-13,Shop,45.20\n2026-01-14,PAYMENT RECEIVED - THANK YOU,-500.00\n';
  const cardColumns = { date: 'Date', amount: 'Amount', description: 'Details' };
  const directionsOf = async (statement: Awaited<ReturnType<typeof open>>) => {
    const directions: string[] = [];
    for await (const row of statement.rows())
      directions.push(row.outcome === 'transaction' ? row.transaction.direction : '');
    return directions;
  };

  it('sets the meaning of a minus for one account, and requires confirmation for another account', async () => {
    const mappings = await savedFor(cardRows, { columns: cardColumns, minusMeans: 'income', account: 'Card' });
    const bank = 'Date,Details,Amount\n2026-01-13,Rent,-800\n2026-01-14,Salary,2000\n';
    const other = await open(bank, { account: 'Bank' }, mappings);
    expect(other.interpretation?.question?.remedy).toContain('--minus');
    expect(await directionsOf(other)).toEqual(['expense', 'income']);
    await other.interpretation?.save?.();
    expect((await open(bank, { account: 'bank' }, mappings)).interpretation?.question).toBeNull();
    const card = await open(cardRows, { account: 'Card' }, mappings);
    expect(card.interpretation?.question).toBeNull();
    expect(await directionsOf(card)).toEqual(['expense', 'income']);
  });

  it('from a file without a minus makes unsigned amounts expenses, but requires confirmation for a file with a minus', async () => {
    const mappings = await savedFor('Date,Details,Amount\n2026-01-13,Tea,5\n', { columns: cardColumns });
    const refund = 'Date,Details,Amount\n2026-02-13,Tea,5\n2026-02-14,Return,-20\n';
    const next = await open(refund, {}, mappings);
    expect(next.interpretation?.question?.remedy).toContain('--all-expenses');
    expect(await directionsOf(next)).toEqual(['expense', 'income']);
    expect((await open(refund, { allExpenses: true }, mappings)).interpretation?.question).toBeNull();
    expect(await directionsOf(await open(refund, { columns: cardColumns, allExpenses: true }))).toEqual([
      'expense',
      'income',
    ]);
  });

  it('makes unsigned amounts incomes if a minus was an expense in an earlier file', async () => {
    const mappings = await savedFor('Date,Details,Amount\n2026-01-13,Tea,-5\n2026-01-14,Pay,9\n', {
      columns: cardColumns,
    });
    const next = await open('Date,Details,Amount\n2026-02-14,Pay,9\n', {}, mappings);
    expect(next.interpretation?.question).toBeNull();
    expect(await directionsOf(next)).toEqual(['income']);
  });

  it('does not set the meaning of a minus sign if the import uses an amount column other than the saved one', async () => {
    const rows = 'Date,Details,Amount,Sum\n2026-01-13,Shop,5,5\n2026-01-14,Back,-5,-6\n';
    const mappings = await savedFor(rows, { columns: cardColumns, minusMeans: 'income' });
    expect(await directionsOf(await open(rows, { columns: { amount: 'Sum' } }, mappings))).toEqual([
      'income',
      'expense',
    ]);
  });

  it('is not used if its date column has the creation dates of the records, and another column has the dates of the transactions', async () => {
    const content = 'Created At,When,Sum\n2026-06-01,2026-01-13,-5.00\n';
    const mappings = await savedFor(content, { columns: { date: 'Created At', amount: 'Sum' } });
    const next = await open(content, {}, mappings);
    expect(lineOf(next, 'mapping')).toBeUndefined();
    expect(lineOf(next, 'date')).toBe('column "When" (guessed)');
    expect(next.interpretation?.question).not.toBeNull();
    const named = await open(content, { columns: { date: 'Created At' } }, mappings);
    expect(lineOf(named, 'mapping')).toContain('saved');
    const only = 'Created At,Sum\n2026-06-01,-5.00\n';
    const onlySaved = await savedFor(only, { columns: { date: 'Created At', amount: 'Sum' } });
    const again = await open(only, {}, onlySaved);
    expect(lineOf(again, 'mapping')).toContain('saved');
    expect(lineOf(again, 'date')).toBe('column "Created At"');
  });

  it('saves --all-incomes for the account of the import', async () => {
    const plain = 'Date,Details,Amount\n2026-01-13,Client,5\n2026-01-14,Rent,6\n';
    const options = { columns: { date: 'Date', amount: 'Amount' }, allIncomes: true, account: 'Savings' };
    const mappings = await savedFor(plain, options);
    const next = await open(plain, { account: 'Savings' }, mappings);
    expect(await directionsOf(next)).toEqual(['income', 'income']);
    expect(next.interpretation?.question).toBeNull();
    expect((await open(plain, { account: 'Checking' }, mappings)).interpretation?.question?.requiresOption).toBe(true);
    expect(await directionsOf(await open(plain, { account: 'Savings', allExpenses: true }, mappings))).toEqual([
      'expense',
      'expense',
    ]);
  });

  it('does not save the direction of unsigned amounts if only the balance column showed it', async () => {
    const head = 'Date,Details,Amount,Balance';
    const mappings = await savedFor(`${head}\n2026-01-13,A,5,105\n2026-01-14,B,6,111\n2026-01-15,C,1,110\n`, {});
    const alone = await open(`${head}\n2026-01-16,D,7,117\n`, {}, mappings);
    expect(alone.interpretation?.question?.requiresOption).toBe(true);
  });

  it('is applied without its debit column if an option names only the credit column', async () => {
    const content = 'Date,Out,In\n2026-01-13,5.00,\n2026-01-14,,6.00\n';
    const mappings = await savedFor(content, { columns: { date: 'Date', debit: 'Out', credit: 'In' } });
    expect(await directionsOf(await open(content, {}, mappings))).toEqual(['expense', 'income']);
    expect(await directionsOf(await open(content, { columns: { credit: 'In' } }, mappings))).toEqual(['', 'income']);
  });

  it('is ignored if it is damaged', async () => {
    const mappings = { ...mappingsInMemory(), find: async () => '{"columns":' };
    await expect(open(file, {}, mappings)).rejects.toThrow('not clear');
  });
});
