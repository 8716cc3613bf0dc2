import { expect, it } from 'vitest';
import { ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const signs = [
  ['-£7.00', '£'],
  ['-$8.00', '$'],
  ['-¥10', '¥'],
  ['-11 kr', 'kr'],
  ['US$12.00', 'US$'],
  ['-13.00 zł', 'zł'],
] as const;

const importing = async (currency: string, amounts: readonly string[]) => {
  const rows = amounts.map((amount, index) => `2026-01-${index + 11},Tea,${amount}`);
  const path = await writeStatement(['Date,Description,Amount', ...rows].join('\n'));
  const flags = ['--account', 'Checking', '--create-accounts', '--currency', currency, '--yes'];
  return summaryOf(await bench.importing(path, ...flags));
};

it('a row in the sign of another currency is never recorded in that of the account', async () => {
  const summary = await importing('EUR', [...signs.map(([amount]) => amount), '-€14.00', '-15.00']);
  expect(summary).toMatchObject({
    created: 2,
    failed: 6,
    failures: signs.map(([, sign], index) => ({
      line: index + 2,
      reason: `it is in ${sign}, and the account Checking in EUR`,
    })),
  });
  expect(bench.api.movements.map(({ amountDecimal }) => amountDecimal).sort()).toEqual(['14', '15']);
});

it('a sign that the currency of the account shares with others is recorded', async () => {
  expect(await importing('CAD', ['-$8.00', '-9.00'])).toMatchObject({ created: 2, failed: 0 });
});
