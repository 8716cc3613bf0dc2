import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const file = (header: string, codes: readonly [string, string, string] = ['', 'CR', '']) => [
  `Transaction Date,Description,Amount,${header}`,
  `13/03/2026,AMAZON,450.00,${codes[0]}`,
  `14/03/2026,NETBANKING TRF,5000.00,${codes[1]}`,
  `17/03/2026,UBER,150.00,${codes[2]}`,
];
const expected = ['2026-03-13 -450 AMAZON', '2026-03-14 +5000 NETBANKING TRF', '2026-03-17 -150 UBER'];

describe('a column with a single code, such as CR, and empty cells, next to amounts without a sign', () => {
  it.each(['Billing Sign', 'Sign', 'Type', 'Dr/Cr', 'Cr/Dr', 'Debit/Credit', 'CREDIT / DEBIT'])(
    'shows below the header "%s" that an empty cell is money out',
    async (header) => {
      const { rows, interpretation, question } = await readExport(file(header));
      expect(rows).toEqual(expected);
      expect(interpretation.signs).toBe(
        `the words of column "${header}" decide the direction, and an empty cell is an expense`,
      );
      expect(question?.requiresOption).toBeUndefined();
      expect((await readExport(file(header), { allExpenses: true })).rows).toEqual(expected);
    },
  );

  it('shows with the code Dr that an empty cell is money in', async () => {
    const { rows } = await readExport(file('Dr / Cr', ['Dr.', '', 'Dr.']));
    expect(rows).toEqual(expected);
  });

  it.each([{}, { allExpenses: true }, { allIncomes: true }])(
    'requires --direction-column below an unknown header, with the options %j',
    async (options) => {
      const { question } = await readExport(file('Remark'), options);
      expect(question).toEqual({
        message:
          'No amount has a sign, and the column "Remark" has only "CR" and empty cells: "CR" may mean money in, and an empty cell money out.',
        remedy:
          'If it does, use --direction-column "Remark". If the column does not show the direction, use --direction-column "".',
        requiresOption: true,
      });
      const named = await readExport(file('Remark'), { ...options, columns: { direction: 'Remark' } });
      expect(named.rows).toEqual(expected);
    },
  );

  it('is not used if --direction-column "" says so', async () => {
    const { rows } = await readExport(file('Billing Sign'), { allExpenses: true, columns: { direction: '' } });
    expect(rows[1]).toBe('2026-03-14 -5000 NETBANKING TRF');
  });

  it('gives an empty cell no meaning if --expense-word reverses the code, or if a row has the opposite code', async () => {
    const contradicted = await readExport(file('Sign'), { expenseWords: ['CR'], incomeWords: ['DR'] });
    const mixed = await readExport(file('Sign', ['', 'CR', 'DR']));
    for (const { rows } of [contradicted, mixed]) expect(rows[0]).toContain('"" is not a known word');
  });
});
