import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const card = (header: string, out = 'Belastung', into = 'Gutschrift') => [
  `Datum,Text,Betrag,${header}`,
  `2026-01-13,Laden,65.20,${out}`,
  `2026-01-14,Kaffee,5.10,${out}`,
  `2026-01-15,Zahlung,-84.00,${into}`,
];
const expected = ['2026-01-13 -65.2 Laden', '2026-01-14 -5.1 Kaffee', '2026-01-15 +84 Zahlung'];

describe('direction words in a file in which only incomes have a minus', () => {
  it.each([
    ['Debit/Kredit', 'Belastung', 'Gutschrift'],
    ['Debit/Credit', 'Debit', 'Credit'],
    ['Debito/Credito', 'Addebito', 'Accredito'],
    ['Type', 'Purchase', 'Refund'],
    ['Bewegung', 'Belastung', 'Gutschrift'],
  ])('decide the direction below the header "%s"', async (header, out, into) => {
    const { rows, interpretation, question } = await readExport(card(header, out, into));
    expect(rows).toEqual(expected);
    expect(interpretation.signs).toBe(`the words of column "${header}" decide the direction, and - is income`);
    expect(question?.requiresOption).toBeUndefined();
  });

  it.each([undefined, 'income'] as const)(
    'decide the direction if --direction-column names their column and --minus is %s',
    async (minusMeans) => {
      const columns = { direction: 'Column 4' };
      expect((await readExport(card('Bewegung'), { columns, minusMeans })).rows).toEqual(expected);
    },
  );

  it.each([
    [['150.00', '155.10', '71.10'], '+84'],
    [['-150.00', '-155.10', '-71.10'], '+84'],
    [['150.00', '144.90', '60.90'], '-84'],
  ])(
    'decide the direction unless the balances show a reversal: with the balances %j, the last amount is %s',
    async (balances, amount) => {
      const [headers, ...rows] = card('Debit/Credit', 'Debit', 'Credit');
      const file = [`${headers},Saldo`, ...rows.map((row, index) => `${row},${balances[index]}`)];
      expect((await readExport(file)).rows[2]).toBe(`2026-01-15 ${amount} Zahlung`);
    },
  );
});

describe('direction words that contradict signs', () => {
  it('are refused if all rows are incomes with a minus and no option sets the meaning of a minus', async () => {
    const file = ['Datum,Text,Betrag,Debit/Kredit', '2026-01-15,Zahlung,-84.00,Gutschrift'];
    await expect(readExport(file)).rejects.toMatchObject({
      message: 'All words of the column "Debit/Kredit" mean income, but all amounts have a minus.',
      remedy: expect.stringContaining('--minus income'),
    });
    expect((await readExport(file, { minusMeans: 'income' })).rows).toEqual(['2026-01-15 +84 Zahlung']);
    expect((await readExport(file, { columns: { direction: '' } })).rows).toEqual(['2026-01-15 -84 Zahlung']);
    expect((await readExport(file, { minusMeans: 'expense' })).rows).toEqual([
      'line 2 failure: the sign of "-84.00" contradicts "Gutschrift"',
    ]);
  });

  it('make an income with a minus fail if another income with the same word has no minus', async () => {
    const { rows } = await readExport([...card('Debit/Kredit'), '2026-01-16,Storno,84.00,Gutschrift']);
    expect(rows[2]).toBe('line 4 failure: the sign of "-84.00" contradicts "Gutschrift"');
    const answered = await readExport([...card('Debit/Kredit'), '2026-01-16,Storno,84.00,Gutschrift'], {
      minusMeans: 'income',
    });
    expect(answered.rows.slice(2)).toEqual([
      expected[2],
      'line 5 failure: the sign of "84.00" contradicts "Gutschrift"',
    ]);
  });

  it('make an expense fail if its sign is not the sign of most expenses', async () => {
    const amounts = ['-5.00,Belastung', '-6.00,Belastung', '3.00,Belastung', '10.00,Gutschrift'];
    const file = ['Datum,Betrag,Debit/Kredit', ...amounts.map((amount) => `2026-01-13,${amount}`)];
    expect((await readExport(file)).rows).toEqual([
      '2026-01-13 -5',
      '2026-01-13 -6',
      'line 4 failure: the sign of "3.00" contradicts "Belastung"',
      '2026-01-13 +10',
    ]);
  });

  it.each([
    ['Type', ['-5.00,Debit', '-6.00,Credit', '100.00,Debit', '3.00,Credit']],
    ['Bewegung', ['-5.00,Belastung', '7.00,Belastung', '9.00,Gutschrift']],
    ['Bewegung', ['-5.00,Abgabe', '7.00,Belastung', '9.00,Gutschrift']],
  ])(
    'require an option if column "%s" was guessed, and neither meaning of a minus fits all its words',
    async (header, amounts) => {
      const file = [`Datum,Betrag,${header}`, ...amounts.map((amount) => `2026-01-13,${amount}`)];
      const { question } = await readExport(file);
      expect(question).toEqual({
        message: `Words of the column "${header}" contradict the signs of some amounts. The signs would decide the direction.`,
        remedy: `Use --direction-column "${header}" if its words show the direction, or --direction-column "" if the signs show it.`,
        requiresOption: true,
      });
      expect((await readExport(file, { allIncomes: true })).question?.message).toContain('contradict the signs');
      const answered = await readExport(file, { columns: { direction: '' } });
      expect(answered.question?.requiresOption).toBeUndefined();
    },
  );

  it('are not assumed in a column that contains only dashes', async () => {
    const { rows, interpretation } = await readExport(['Datum,Betrag,Info', '2026-01-13,-5.00,-', '2026-01-14,7.00,-']);
    expect(rows).toEqual(['2026-01-13 -5', '2026-01-14 +7']);
    expect(interpretation.direction).toBeUndefined();
  });
});
