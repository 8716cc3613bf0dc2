import { describe, expect, it } from 'vitest';
import { mappingsInMemory, openCsvInTest } from '../../../test-support/open-csv-in-test.js';
import { readExport } from '../../../test-support/read-export.js';
import type { OpenedStatement } from '../../statement.js';
import { findRowIdHeader } from './row-ids.js';

const csv = (header: string, ...ids: string[]) =>
  ['Date,Description,Amount', ...ids.map((_, index) => `2026-01-${13 + index},Shop ${index},-5.00`)]
    .map((line, index) => `${line},${index === 0 ? header : ids[index - 1]}`)
    .join('\n');

async function idsOf(statement: OpenedStatement): Promise<readonly (string | undefined)[]> {
  const ids: (string | undefined)[] = [];
  for await (const row of statement.rows()) {
    if (row.outcome === 'transaction') ids.push(row.transaction.externalId);
  }
  return ids;
}

const interpretationOf = ({ interpretation }: OpenedStatement) => Object.fromEntries(interpretation?.lines ?? []);

describe('findRowIdHeader', () => {
  it.each([
    'Transaction ID',
    'transaction_id',
    'TransactionId',
    'TransferWise ID',
    'Balance Transaction ID',
    'Operation ID',
    'Transaktions-ID',
    'Transaktionscode',
    'Identificador de transacción',
    'ID transazione',
    'Numéro de transaction',
    'Transactie-ID',
    'Arkistointitunnus',
    'Arhiveerimistunnus',
    'ID',
  ])('finds the column "%s"', (header) => {
    expect(findRowIdHeader(['Date', 'Amount', header])).toBe(header);
  });

  it.each(['Reference', 'Nr', 'No.', 'Transaction Code', 'Transaction Number', 'Transaction Type', 'Customer ID'])(
    'does not find the column "%s"',
    (header) => {
      expect(findRowIdHeader(['Date', 'Amount', header])).toBeUndefined();
    },
  );

  it('finds the column "Transfer reference" in exports of Swedbank, but not in other files', () => {
    const headers = ['Client account', 'Row type', 'Date', 'Details', 'Amount', 'Debit/Credit', 'Transfer reference'];
    expect(findRowIdHeader(headers)).toBe('Transfer reference');
    expect(findRowIdHeader(headers.slice(2))).toBeUndefined();
  });

  it('finds no column if two columns have the same header', () => {
    expect(findRowIdHeader(['Date', 'Transaction ID', 'Amount', 'transaction id'])).toBeUndefined();
  });
});

describe('the id column of a CSV file', () => {
  it('is detected, and named in the description of how the file is read', async () => {
    const statement = await openCsvInTest(csv('Transaction ID', ' TX-0001 ', '="TX-0002"', '', 'N/A'));
    expect(await idsOf(statement)).toEqual(['TX-0001', 'TX-0002', undefined, undefined]);
    expect(interpretationOf(statement).id).toBe('column "Transaction ID" (guessed)');
  });

  it('does not change the content from which the import key of a row is derived', async () => {
    const rowsOf = async (options: object) => {
      const rows = [];
      for await (const row of (await openCsvInTest(csv('Transaction ID', 'TX-0001', 'TX-0002'), options)).rows()) {
        if (row.outcome === 'transaction') rows.push([row.transaction.statementId, row.transaction.identity]);
      }
      return rows;
    };
    const rows = await rowsOf({});
    expect(rows[0]?.[0]).toBeNull();
    expect(rows).toEqual(await rowsOf({ columns: { id: '' } }));
  });

  it('is not used if one value repeats, and the description of how the file is read names the value and the lines', async () => {
    const statement = await openCsvInTest(csv('Transaction ID', 'TX-0001', 'TX-0002', 'TX-0001'));
    expect(await idsOf(statement)).toEqual([undefined, undefined, undefined]);
    expect(interpretationOf(statement).id).toBe(
      'column "Transaction ID" (guessed), not used: lines 2 and 4 both have "TX-0001"',
    );
  });

  it.each([
    ['Transaction ID', ['TX-0001', '12345']],
    ['Transaction ID', ['000000001', '000000002']],
    ['id', ['TX-0001', 'TX-0002']],
  ])('is not guessed from the header "%s" if it has short values, as in %j', async (header, ids) => {
    const statement = await openCsvInTest(csv(header, ...ids));
    expect(await idsOf(statement)).toEqual([undefined, undefined]);
    expect(interpretationOf(statement)).not.toHaveProperty('id');
    expect(interpretationOf(statement)['not used']).toBe(`"${header}"`);
  });

  it('is guessed from the header "id" if all values are long', async () => {
    const ids = ['txn_1MiN3gLkdIwHu7ix', 'txn_1MiN3gLkdIwHu8ab'];
    expect(await idsOf(await openCsvInTest(csv('id', ...ids)))).toEqual(ids);
  });

  it('is the column that --id-column names, whatever its header and the length of its values', async () => {
    const statement = await openCsvInTest(csv('Nr', '1', '2'), { columns: { id: 'Nr' } });
    expect(await idsOf(statement)).toEqual(['1', '2']);
    expect(interpretationOf(statement).id).toBe('column "Nr"');
  });

  it('is refused if --id-column names it and a value repeats', async () => {
    const file = csv('Nr', 'A', 'B', 'C', 'B');
    await expect(openCsvInTest(file, { columns: { id: 'Nr' } })).rejects.toMatchObject({
      message: 'The column "Nr" has "B" in lines 3 and 5, so its values do not identify the rows.',
      remedy: 'Name another column with --id-column, or use --id-column "" to import the rows without ids.',
    });
  });

  it('is not read with --id-column ""', async () => {
    const statement = await openCsvInTest(csv('Transaction ID', 'TX-0001'), { columns: { id: '' } });
    expect(await idsOf(statement)).toEqual([undefined]);
  });

  it('is saved in the mapping, but not used for a later file in which a value repeats', async () => {
    const mappings = mappingsInMemory();
    const first = await openCsvInTest(csv('Nr', '1', '2'), { columns: { id: 'Nr' } }, mappings);
    await first.interpretation?.save?.();
    expect(await idsOf(await openCsvInTest(csv('Nr', '3', '4'), {}, mappings))).toEqual(['3', '4']);
    const repeated = await openCsvInTest(csv('Nr', '5', '5'), {}, mappings);
    expect(await idsOf(repeated)).toEqual([undefined, undefined]);
    await repeated.interpretation?.save?.();
    expect(await idsOf(await openCsvInTest(csv('Nr', '6', '7'), {}, mappings))).toEqual(['6', '7']);
  });

  it('is not used if a pending row has the id of a completed row', async () => {
    const file = [
      'Date,Description,Amount,Status,Transaction ID',
      '2026-01-13,Shop,-5.00,Pending,TX-0001',
      '2026-01-14,Shop,-5.00,Completed,TX-0001',
    ].join('\n');
    expect(await idsOf(await openCsvInTest(file))).toEqual([undefined]);
  });

  it('does not change which rows are read', async () => {
    const file = [
      'Date,Description,Amount,Transaction ID',
      ...[13, 14, 15, 16].map((day) => `2026-01-${day},Shop,-5.00,TX-00${day}`),
      '2026-01-17,,-5.00,TX-0017',
    ].join('\n');
    expect(await idsOf(await openCsvInTest(file))).toHaveLength(5);
    const long = csv('Transaction ID', 'x'.repeat(1_001), 'TX-0002');
    expect(await idsOf(await openCsvInTest(long))).toHaveLength(2);
  });

  it('is not used in a row whose id is longer than the API allows, and the reader reports this', async () => {
    const statement = await openCsvInTest(csv('Transaction ID', 'x'.repeat(201), 'TX-0002'));
    expect(await idsOf(statement)).toEqual([undefined, 'TX-0002']);
    expect(interpretationOf(statement).id).toBe(
      'column "Transaction ID" (guessed); not used: 1 id of more than 200 characters',
    );
  });

  it('is not read from an export of Centavo, which already has movement ids', async () => {
    const header = 'id,occurredOn,type,kind,amountDecimal,currencyCode,accountName,transferGroupId';
    const file = `${header}\n0190f5c4-0000-7000-8000-000000000001,2026-01-13,expense,regular,5.00,USD,Checking,`;
    expect(await idsOf(await openCsvInTest(file))).toEqual([undefined]);
  });
});

describe('two rows with the same id', () => {
  const header = 'Transaction ID,Date,Description,Amount';
  const rows = ['AAAAAA111111,2026-06-15,Coffee,-12.50', 'AAAAAA111112,2026-06-16,Tea,-2.50'];

  it('require an option if they are equal, because two exports may have been joined', async () => {
    const joined = [header, ...rows, header, 'AAAAAA111112,2026-06-16,Tea,-2.50', 'AAAAAA111113,2026-06-18,Shop,-5.00'];
    const { question } = await readExport(joined);
    expect(question).toEqual({
      message: 'Lines 3 and 5 are equal and have the id "AAAAAA111112": the file may contain rows twice.',
      remedy: 'Take the copies out of the file. If each row is a transaction, use --id-column "".',
      requiresOption: true,
    });
    expect((await readExport(joined, { columns: { id: '' } })).question?.requiresOption).toBeUndefined();
  });

  it('require an option if they are equal, even if two other rows, which differ, have another id in common', async () => {
    const other = ['AAAAAA111111,2026-06-16,Fee,-0.50', 'AAAAAA111112,2026-06-16,Tea,-2.50'];
    const { question } = await readExport([header, ...rows, ...other]);
    expect(question?.message).toContain('Lines 3 and 5 are equal');
  });

  it('can be imported without an option such as --id-column if they differ', async () => {
    const { question } = await readExport([header, ...rows, 'AAAAAA111112,2026-06-16,Fee,-0.50']);
    expect(question?.requiresOption).toBeUndefined();
  });
});
