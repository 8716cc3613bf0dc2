import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { creating, ImportBench, summaryOf } from '../../../test-support/import-in-test.js';
import { writeStatement } from '../../../test-support/statement-files.js';

const bench = ImportBench.setUp();

const softHyphen = '\u00ad';
const zeroWidthSpace = '\u200b';
const text = `Super${softHyphen}markt\u202e 👩‍💻 می‌خواهم\u200d`;

const statement = [
  'Date,Description,Amount,Transaction Type,Category,Account Name',
  `01/13/2026,${text},2.50,debit,Gro${softHyphen}ceries,Check${zeroWidthSpace}ing`,
  `01/14/2026,Bakery,3.50,debit,Groceries,Checking`,
  `01/15/2026,Kiosk,4.50,debit,${zeroWidthSpace},Checking`,
].join('\n');

describe('an import of texts with format characters', () => {
  it('sends them without the characters that the API refuses', async () => {
    const run = await bench.importing(await writeStatement(statement), ...creating);
    expect(summaryOf(run)).toMatchObject({ created: 3, failed: 0 });
    expect(bench.api.accounts).toMatchObject([{ name: 'Checking' }]);
    expect(bench.api.categories.slice(1)).toMatchObject([{ name: 'Groceries' }]);
    expect(bench.api.movements.map(({ description }) => description)).toEqual([
      'Supermarkt 👩‍💻 می‌خواهم',
      'Bakery',
      'Kiosk',
    ]);
  });

  it('makes the keys from the texts as the file has them, so that rows imported earlier are found', async () => {
    await bench.importing(await writeStatement(statement), ...creating);
    const keys = bench.api.requests
      .filter(({ method, path }) => method === 'POST' && path === '/movements')
      .map(({ headers }) => headers.get('idempotency-key'));
    const accountId = String(bench.api.accounts[0]?.id);
    const content = ['2026-01-13', 'debit 2.5', 'USD', text, null, `Gro${softHyphen}ceries`];
    const recipe = JSON.stringify(['centavo-import-1', 'csv', accountId, 'content', ...content, 1]);
    expect(keys[0]).toBe(createHash('sha256').update(recipe).digest('hex'));
  });
});
