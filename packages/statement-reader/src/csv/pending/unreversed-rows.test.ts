import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('a row with the status "Reversed"', () => {
  const read = async (...lines: string[]) =>
    (await readExport(['Date,Description,Amount,Status', ...lines, '2024-03-17,Rent,-1.00,Completed'])).rows;
  const reversed = '2024-03-13,Shop,-7.00,Reversed';
  const reversal = '2024-03-14,Shop,7.00,Completed';

  it('is recorded, and so is its reversal, because an earlier import may have recorded the row before it was reversed', async () => {
    expect(await read(reversed, reversal)).toEqual(['2024-03-13 -7 Shop', '2024-03-14 +7 Shop', '2024-03-17 -1 Rent']);
  });

  it('requires an option if its reversal is not in the file', async () => {
    const headers = 'Date,Description,Amount,Status';
    const lines = [headers, reversed, '2024-03-17,Rent,-1.00,Completed'];
    const { question } = await readExport(lines);
    expect(question).toMatchObject({
      message: 'A row has the status "Reversed", and no row of the file reverses it: line 2.',
      requiresOption: true,
    });
    expect((await readExport(lines, { finalStatuses: ['reversed'] })).rows[0]).toBe('2024-03-13 -7 Shop');
    for (const options of [{ finalStatuses: ['reversed'] }, { skippedStatuses: ['reversed'] }]) {
      expect((await readExport(lines, options)).question?.message).not.toContain('reverses');
    }
  });

  it('requires no option if the balance does not include it, or its reversal also has the status "Reversed"', async () => {
    const headers = 'Date,Description,Amount,Status';
    const balances = [
      '2024-03-12,Tea,-1.00,Completed,99.00',
      `${reversed},99.00`,
      '2024-03-17,Rent,-1.00,Completed,98.00',
    ];
    for (const lines of [
      [`${headers},Balance`, ...balances],
      [headers, reversed, '2024-03-14,Shop,7.00,Reversed', '2024-03-17,Rent,-1.00,Completed'],
    ]) {
      const { rows, question } = await readExport(lines);
      expect(rows.filter((row) => row.includes('it was reversed ("Reversed")')).length).toBeGreaterThan(0);
      expect(question?.message ?? '').not.toContain('reverses');
    }
  });

  it('does not cause a reversal to be skipped if a completed row has the same date, text and amount as the reversed row', async () => {
    const rows = await read(reversed, '2024-03-13,Shop,-7.00,Completed', reversal);
    expect(rows.slice(1, 3)).toEqual(['2024-03-13 -7 Shop', '2024-03-14 +7 Shop']);
  });
});
