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

  it('is skipped without a question if the balance does not include it', async () => {
    const { rows, question } = await readExport([
      'Date,Description,Amount,Status,Balance',
      '2024-03-12,Tea,-1.00,Completed,99.00',
      `${reversed},99.00`,
      '2024-03-14,Shop,7.00,Reversed,99.00',
      '2024-03-17,Rent,-1.00,Completed,98.00',
    ]);
    expect(rows.slice(1, 3)).toEqual([
      'line 3 skipped: it was reversed ("Reversed")',
      'line 4 skipped: it was reversed ("Reversed")',
    ]);
    expect(question?.message ?? '').not.toContain('reverses');
  });

  it.each([
    ['before', ['2024-03-14,Shop,7.00,Reversed', reversed], 2, 3],
    ['after', [reversed, '2024-03-14,Shop,7.00,Reversed'], 3, 2],
  ])(
    'is recorded, and so is its reversal %s it that also has the status "Reversed", because an earlier import may have recorded it',
    async (_place, lines, line, reversedLine) => {
      const { rows, question, interpretation } = await readExport([
        'Date,Description,Amount,Status',
        ...lines,
        '2024-03-17,Rent,-1.00,Completed',
      ]);
      expect(rows.toSorted()).toEqual(['2024-03-13 -7 Shop', '2024-03-14 +7 Shop', '2024-03-17 -1 Rent']);
      expect(interpretation.pending).toBe(`line ${line} reverses line ${reversedLine}, so both are booked`);
      expect(question?.message ?? '').not.toContain('reverses');
    },
  );

  it('is named with its line and the remedies if the row that reverses it has another text', async () => {
    const { question } = await readExport([
      'Date,Description,Amount,Status',
      reversed,
      '2024-03-14,Shop refund,7.00,Reversed',
      '2024-03-17,Rent,-1.00,Completed',
    ]);
    expect(question).toMatchObject({
      message: '2 rows have the status "Reversed", and no row of the file reverses them: lines 2, 3.',
      remedy:
        'If the refund is a row of another file, or of this file with other words, use --final-status "Reversed". If no row shows it, use --skip-status "Reversed", and void the movement if an earlier import recorded it.',
    });
  });

  it('does not cause a reversal to be skipped if a completed row has the same date, text and amount as the reversed row', async () => {
    const rows = await read(reversed, '2024-03-13,Shop,-7.00,Completed', reversal);
    expect(rows.slice(1, 3)).toEqual(['2024-03-13 -7 Shop', '2024-03-14 +7 Shop']);
  });
});
