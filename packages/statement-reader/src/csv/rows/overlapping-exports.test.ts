import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Date,Description,Amount';
const january = ['2026-01-13,SHOP,-45.12', '2026-01-14,CAFE,-3.50'];

describe('a file with repeated headers', () => {
  it('requires an option if a row below the repeated headers is equal to a row above these headers', async () => {
    const joined = [header, ...january, header, '2026-01-14,CAFE,-3.50', '2026-01-16,RENT,-700.00'];
    const { doubt } = await readExport(joined);
    expect(doubt).toEqual({
      message: 'The headers repeat in line 4, and lines 3 and 5 are equal: the file may contain rows twice.',
      remedy: 'Take the copies out of the file. If each row is a transaction, use --id-column "".',
      requiresOption: true,
    });
    const accepted = await readExport(joined, { columns: { id: '' } });
    expect(accepted.doubt?.requiresOption).toBeUndefined();
    expect(accepted.rows).toHaveLength(4);
  });

  it('requires no option if all equal rows are in the same part of the file', async () => {
    const cafes = [...january, '2026-01-14,CAFE,-3.50'];
    const { doubt } = await readExport([header, ...cafes, header, '2026-01-16,RENT,-700.00']);
    expect(doubt?.requiresOption).toBeUndefined();
  });

  it('requires no option if the balance column agrees with all rows', async () => {
    const balances = ['Date,Description,Amount,Balance', '2026-01-13,TEA,-5,95', '2026-01-14,CAFE,-5,90'];
    const more = ['2026-01-15,REFUND,5,95', '2026-01-13,TEA,-5,90', '2026-01-14,CAFE,-5,85'];
    const { doubt } = await readExport([...balances, balances[0] ?? '', ...more]);
    expect(doubt?.requiresOption).toBeUndefined();
  });
});
