import { expect, it } from 'vitest';
import { readExport } from '../../test-support/read-export.js';
import { writeStatement } from '../../test-support/statement-files.js';
import { fileSource } from '../source.js';
import { openCsv } from './open-csv.js';

const headers =
  'id,occurredOn,type,kind,amountDecimal,currencyCode,accountId,accountName,cashboxId,categoryId,categoryName,merchantName,description,transferGroupId,sourceType,sourceId,version,createdAt,updatedAt';
const row = (day: string, type: string, rest: { kind?: string; text?: string; group?: string } = {}) =>
  `i1,${day},${type},${rest.kind ?? 'regular'},12.50,EUR,a1,Checking,c1,k1,Food,Shop,${rest.text ?? 'Bread'},${rest.group ?? ''},api,s1,1,2026-06-03T10:00:00.000Z,2026-06-04T10:00:00.000Z`;

it('the CSV reader recognizes the columns of a Centavo export, and removes the apostrophe that the export puts before =', async () => {
  const { rows, interpretation } = await readExport(
    [headers, row('2026-01-13', 'expense'), row('2026-01-14', 'income', { text: "'=1+1" })],
    { hasOneAccount: false },
  );
  expect(rows).toEqual(['2026-01-13 -12.5 EUR Bread', '2026-01-14 +12.5 EUR =1+1']);
  expect(interpretation).toMatchObject({
    date: 'occurredOn',
    amount: 'amountDecimal',
    direction: 'type',
    account: 'accountName',
    category: 'categoryName',
    merchant: 'merchantName',
  });
});

it('the CSV reader reads a row with the category "Opening balance" in a Centavo export as a movement, not as a balance', async () => {
  const named = row('2026-01-13', 'expense').replace('Food', 'Opening balance');
  const { rows } = await readExport([headers, named, row('2026-01-14', 'income')], { hasOneAccount: false });
  expect(rows).toEqual(['2026-01-13 -12.5 EUR Bread', '2026-01-14 +12.5 EUR Bread']);
});

it('the CSV reader does not remove an apostrophe before = in a file that Centavo did not export', async () => {
  const { rows } = await readExport(['Date,Amount,Description', "2026-01-13,-5,'=1+1"]);
  expect(rows).toEqual(["2026-01-13 -5 '=1+1"]);
});

it('the CSV reader returns the transferGroupId of a transfer row in a Centavo export', async () => {
  const path = await writeStatement(
    [headers, row('2026-01-13', 'expense', { kind: 'transfer', group: 'g1' }), row('2026-01-14', 'income')].join('\n'),
  );
  const statement = await openCsv({
    source: fileSource(path),
    csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: false },
    mappings: { find: async () => undefined, save: async () => {} },
  });
  const groups = [];
  for await (const read of statement.rows()) {
    groups.push(read.outcome === 'transaction' ? read.transaction.transferGroupId : read);
  }
  expect(groups).toEqual(['g1', undefined]);
});

it.each([
  'createdAt',
  'Created Date',
  'Erstellt am',
  'Updated At',
  'Last Modified',
  'Import Date',
  'Exported on',
  'Stampato il',
  'Scaricato il',
  'Généré le',
  'Emitido em',
  'Utskriven',
  'Wygenerowano',
])('the CSV reader reads the date from the column "When", and not from the column "%s"', async (header) => {
  const { rows } = await readExport([
    `${header},When,Amount`,
    '2026-06-01,2026-01-13,-5.00',
    '2026-06-01,2026-01-14,7.00',
  ]);
  expect(rows).toEqual(['2026-01-13 -5', '2026-01-14 +7']);
});

it.each(['Updated At', 'Last Modified', 'Import Date', 'Exported on'])(
  'the CSV reader refuses a file whose only column of dates is "%s"',
  async (header) => {
    await expect(readExport([`${header},Amount`, '2026-06-01,-5.00'])).rejects.toThrow(
      'It is not clear which column has the date',
    );
  },
);

it.each(['createdAt', 'created_at', 'Created Date', 'Erstellt am'])(
  'the CSV reader reads the date from the column "%s" if no other column except "Updated at" has dates',
  async (header) => {
    const only = await readExport([`${header},Amount,Updated at`, '2026-06-01,-5.00,2026-06-02']);
    expect(only.rows).toEqual(['2026-06-01 -5']);
    expect(only.mustConfirm).toBe(true);
    const pending = [`${header},Done,Amount`, '2026-06-01,2026-06-02,-5.00', '2026-06-01,,-6.00'];
    await expect(readExport(pending)).rejects.toThrow('It is not clear which column has the date');
  },
);
