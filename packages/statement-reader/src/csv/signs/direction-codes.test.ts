import { describe, expect, it } from 'vitest';
import { readInTest } from '../../../test-support/read-statement.js';

const file = (header: string, out: string, into: string) =>
  [`Datum;Omschrijving;Bedrag${header}`, `2026-03-13;Grocer;20,00;${out}`, `2026-03-14;Salary;500,00;${into}`].join(
    '\n',
  );
const expected = ['2026-03-13 -20 Grocer', '2026-03-14 500 Salary'];

describe('a column of two codes next to amounts without a sign', () => {
  it.each([
    [';Richting', 'O', 'I'],
    [';D/K', 'D', 'K'],
    [';D/C', 'D', 'C'],
    [';S/H', 'S', 'H'],
    [';Af Bij', 'Af', 'Bij'],
    [';', 'O', 'I'],
  ])('shows the direction below the header "%s": %s is money out, and %s is money in', async (header, out, into) => {
    expect((await readInTest(file(header, out, into))).lines).toEqual(expected);
  });

  it('shows the direction in a file without headers', async () => {
    const [, ...rows] = file('', 'O', 'I').split('\n');
    expect((await readInTest(rows.join('\n'))).lines).toEqual(expected);
  });

  it('is refused if its codes are unknown, and read if options name the codes', async () => {
    const unknown = file(';A/B', 'A', 'B');
    await expect(readInTest(unknown)).rejects.toMatchObject({
      message: expect.stringContaining('"A" and "B" in the column "A/B"'),
      remedy: expect.stringContaining('--expense-word A --income-word B'),
    });
    const options = { expenseWords: ['A'], incomeWords: ['B'] };
    expect((await readInTest(unknown, { options })).lines).toEqual(expected);
  });

  it('decides the direction of the rows, even with unknown codes, if the balances reveal what the codes mean', async () => {
    const rows = [
      '2026-03-13;Grocer;20,00;A;980,00',
      '2026-03-14;Salary;500,00;B;1480,00',
      '2026-03-15;Bus;5,00;A;1475,00',
    ];
    for (const ordered of [rows, rows.toReversed()]) {
      const { lines } = await readInTest(['Datum;Omschrijving;Bedrag;A/B;Saldo', ...ordered].join('\n'));
      expect(lines.toSorted()).toEqual([...expected, '2026-03-15 -5 Bus']);
    }
  });
});

it('the CSV reader refuses a column with the codes S and R, because S may not mean "Soll" (debit)', async () => {
  const file = (header: string, other: string) =>
    `Date,Text,${header},Amount\n2026-03-13,Shoes,S,5.00\n2026-03-14,Shoes,${other},5.00\n`;
  await expect(readInTest(file('Type', 'R'))).rejects.toThrow(
    '"S" and "R" in the column "Type" may be money out or money in.',
  );
  const expected = ['2026-03-13 -5 Shoes', '2026-03-14 5 Shoes'];
  expect((await readInTest(file('Type', 'H'))).lines).toEqual(expected);
  expect((await readInTest(file('Soll/Haben', 'S'))).lines).toEqual([expected[0], '2026-03-14 -5 Shoes']);
});

it('the CSV reader reports a direction column that is not used because its words are unknown', async () => {
  const { statement } = await readInTest('Date,Type,Amount\n2026-03-13,Card,5.00\n2026-03-14,Wire,7.00\n');
  expect(statement.interpretation?.question).toMatchObject({
    requiresOption: true,
    message: expect.stringContaining('The words of the column "Type" are unknown.'),
  });
});

describe('an option that names only the debit or only the credit column', () => {
  const rows = ['2026-03-13,Grocer,20.00,,980.00', '2026-03-14,Salary,,500.00,1480.00'];
  const both = ['Date,Description,Debit,Credit,Balance', ...rows].join('\n');

  it.each([
    [{ credit: 'Credit' }, '2026-03-14 500 Salary', 'its column "Credit" is empty'],
    [{ debit: 'Debit' }, '2026-03-13 -20 Grocer', 'its column "Debit" is empty'],
  ])('causes rows with an empty cell in this column to be skipped: %j', async (columns, line, reason) => {
    const { lines, rows: all } = await readInTest(both, { options: { columns } });
    expect(lines).toEqual([line]);
    expect(all).toContainEqual({ line: expect.any(Number), outcome: 'skipped', reason });
  });

  it('does not cause the column "Amount" to be read as the debit column if the option names the credit column', async () => {
    const text = 'Date,Description,Amount,Credit\n2026-03-13,Grocer,20.00,\n2026-03-14,Salary,500.00,500.00\n';
    expect((await readInTest(text, { options: { columns: { credit: 'Credit' } } })).lines).toEqual([
      '2026-03-14 500 Salary',
    ]);
  });
});
