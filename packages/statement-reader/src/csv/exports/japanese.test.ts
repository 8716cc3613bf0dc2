import { expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

it.each([
  ['▲4512', '△100', '2500'],
  ['▲ 4512', '▲100', '2500'],
  ['－４５１２', '－１００', '２５００'],
  ['4512▲', '100▲', '2500'],
])('the CSV reader reads the triangle and the full-width minus as a minus: "%s"', async (first, second, income) => {
  const { rows, question } = await readExport([
    '日付,内容,金額',
    `2026/01/13,店,"${first}"`,
    `2026/01/14,店,"${second}"`,
    `2026/01/15,給与,"${income}"`,
  ]);
  expect(rows).toEqual(['2026-01-13 -4512 店', '2026-01-14 -100 店', '2026-01-15 +2500 給与']);
  expect(question?.requiresOption).toBeUndefined();
});

it('the CSV reader reads dates in full-width digits', async () => {
  const { rows } = await readExport([
    '日付,内容,金額',
    '２０２６/０１/１２,薬局,－１０００',
    '２０２６／０１／１３,店,-4512',
    '2026/01/15,給与,2500',
  ]);
  expect(rows).toEqual(['2026-01-12 -1000 薬局', '2026-01-13 -4512 店', '2026-01-15 +2500 給与']);
});
