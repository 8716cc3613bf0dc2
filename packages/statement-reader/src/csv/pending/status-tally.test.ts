import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('an unknown status', () => {
  const file = ['Date,Amount,Status', '2024-01-16,-5.00,Completed', '2024-01-17,-6.00,Frobnicated'];

  it('requires --final-status or --skip-status if another status of the file is known', async () => {
    const { question, interpretation } = await readExport(file);
    expect(question).toEqual({
      message:
        'The meaning of "Frobnicated" in the column "Status" is unknown: rows with this word may be pending, or may not have happened.',
      remedy: 'Use --final-status "Frobnicated" if it is final, or --skip-status "Frobnicated" to leave out its rows.',
      requiresOption: true,
    });
    expect(interpretation['unknown status']).toBe('"Frobnicated": counted as booked');
  });

  it('is accepted if --final-status names it; a row with the known status "Pending" is read with --final-status PENDING', async () => {
    expect((await readExport(file, { finalStatuses: ['frobnicated'] })).question?.requiresOption).toBeUndefined();
    const pending = ['Date,Amount,Status', '2024-01-16,-5.00,Completed', '2024-01-17,-6.00,Pending'];
    expect((await readExport(pending, { finalStatuses: ['PENDING'] })).rows[1]).toBe('2024-01-17 -6');
  });

  it('causes its row to be skipped with --skip-status, and is quoted in the reason', async () => {
    const { question, rows } = await readExport(file, { skippedStatuses: ['frobnicated'] });
    expect(question?.requiresOption).toBeUndefined();
    expect(rows).toEqual(['2024-01-16 -5', 'line 3 skipped: its status is "Frobnicated"']);
  });

  const unknown = (...words: readonly string[]) => [
    'Date,Amount,Status',
    ...words.map((word, index) => `2024-01-${10 + index},-5.00,${word}`),
  ];

  it('requires an option if its column is guessed and has several words, all of them unknown', async () => {
    const { question } = await readExport(unknown('Frobnicated', 'Grombled', 'Grombled'));
    expect(question).toEqual({
      message:
        'The meaning of "Frobnicated", "Grombled" in the column "Status" is unknown: rows with these words may be pending, or may not have happened.',
      remedy:
        'Use --final-status WORD for each of these words that is final, and --skip-status WORD for each other word, to leave out its rows. If the column has no statuses, use --status-column "".',
      requiresOption: true,
    });
  });

  it.each([
    ['a single word', unknown('Grombled', 'Grombled')],
    ['many words', unknown(...Array.from({ length: 20 }, (_, index) => `Word ${index}`))],
  ])('is reported but requires no option if its guessed column has %s and no known status', async (_, rows) => {
    const { question, interpretation } = await readExport(rows);
    expect(question?.requiresOption).toBeUndefined();
    expect(interpretation['unknown status']).toContain('counted as booked');
  });

  it('is reported but requires no option in a column "Info", unless an option names this column', async () => {
    const notes = ['Date,Amount,Info', '2024-01-16,-5.00,N', '2024-01-17,-6.00,J'];
    const { question, interpretation } = await readExport(notes);
    expect(question?.requiresOption).toBeUndefined();
    expect(interpretation['unknown status']).toBe('"N", "J": counted as booked');
    const named = await readExport(notes, { columns: { status: 'Info' } });
    expect(named.question?.requiresOption).toBe(true);
  });
});
