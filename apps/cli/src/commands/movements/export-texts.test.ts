import { fileSource, openStatement } from '@centavo/statement-reader';
import { expect, it } from 'vitest';
import { writeStatement } from '../../../test-support/statement-files.js';
import { renderCsvLine } from '../../ui/printer.js';

const headers =
  'id,occurredOn,type,kind,amountDecimal,currencyCode,accountId,accountName,cashboxId,categoryId,categoryName,merchantName,description,transferGroupId,sourceType,sourceId,version,createdAt,updatedAt';
const row =
  'i1,2026-01-13,expense,regular,12.50,EUR,a1,Checking,c1,k1,Food,Shop,,,api,s1,1,2026-06-03T10:00:00.000Z,2026-06-04T10:00:00.000Z';

it.each(['=1+1', "'=1+1", "''=1+1", '-5', "'-5", "'+x", "'@x", "'Twas", "''", "'", '-x', "don't =1"])(
  'the statement reader returns the exported description %s unchanged',
  async (text) => {
    const cells = row.split(',');
    cells[headers.split(',').indexOf('description')] = text;
    const statement = await openStatement({
      source: fileSource(await writeStatement([headers, renderCsvLine(cells).trimEnd()].join('\r\n'))),
      format: undefined,
      csv: { columns: {}, expenseWords: [], incomeWords: [], hasOneAccount: false },
      mappings: { find: async () => undefined, save: async () => {} },
    });
    const rows = [];
    for await (const read of statement.rows()) rows.push(read);
    expect(rows).toMatchObject([
      {
        outcome: 'transaction',
        transaction: { occurredOn: '2026-01-13', direction: 'expense', amountDecimal: '12.5', description: text },
      },
    ]);
  },
);
