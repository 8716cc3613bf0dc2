import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const headers = 'Date,Mark,Description,Amount';
const booked = ['2026-01-13,,Lidl,-5.00', '2026-01-20,,Salary,100.00'];
const questionOf = async (lines: readonly string[], finalStatuses: readonly string[] = []) =>
  (await readExport([headers, ...booked, ...lines], { finalStatuses })).question;

describe('a row with an asterisk', () => {
  it.each(['Hotel *', 'Hotel*', '* Hotel', '*Hotel'])('requires an option: %s', async (text) => {
    const line = `2026-01-14,,${text},-70.50`;
    expect(await questionOf([line])).toEqual({
      message: `A row has an asterisk at the beginning or end, which may mean that it is pending: line 4, "${text}". The bank may still change or drop pending rows.`,
      remedy: 'Take such rows out of the file. If they are final, use --final-status "*".',
      requiresOption: true,
    });
    expect((await questionOf([line], ['*']))?.requiresOption).toBeUndefined();
  });

  it.each([
    '* = pending',
    '* Pending transaction',
    '* noch nicht gebucht',
    '(*) opération en attente',
    '* operazione non contabilizzata',
    'An asterisk means that the payment is not yet posted.',
  ])('requires an option if a note explains the asterisk; the message quotes the note: %s', async (note) => {
    for (const line of ['2026-01-14,*,Hotel,-70.50', '2026-01-14,,Hotel*,-70.50']) {
      const cell = line.includes(',*,') ? '*' : 'Hotel*';
      const message = `the file says "${note}": line 4, "${cell}"`;
      expect(await questionOf([line, note])).toMatchObject({
        message: expect.stringContaining(message),
        requiresOption: true,
      });
    }
  });

  it('is reported together with a note above the headers, such as "Rows with * are pending"', async () => {
    const { question } = await readExport(['Rows with * are pending', headers, ...booked, '2026-01-14,*,Hotel,-70.50']);
    expect(question?.message).toContain('the file says "Rows with * are pending": line 5, "*"');
  });

  it.each(['PAYPAL *STEAM', 'SQ *CAFE', '*1234', '**VOID**', 'AMZN*M12'])(
    'requires no option if the asterisk is a part of the text: %s',
    async (text) => {
      expect((await questionOf([`2026-01-14,,${text},-70.50`]))?.requiresOption).toBeUndefined();
    },
  );

  it('requires no option if all texts have one, or if the asterisk has its own column and no note says that it means pending', async () => {
    expect((await questionOf(['2026-01-14,*,Hotel,-70.50', '* fees included']))?.requiresOption).toBeUndefined();
    const { question } = await readExport([headers, ...booked.map((line) => line.replace(',,', ',,* '))]);
    expect(question?.requiresOption).toBeUndefined();
  });

  it('requires no option if the balance includes the row, or its status is final', async () => {
    const withBalance = await readExport([
      'Date,Description,Amount,Balance',
      '2026-01-13,Lidl,-5.00,95.00',
      '2026-01-14,Hotel *,-70.00,25.00',
      '2026-01-20,Salary,100.00,125.00',
      '* pending,,,',
    ]);
    expect(withBalance.question?.requiresOption).toBeUndefined();
    const withStatus = await readExport([
      'Date,Description,Amount,Status',
      '2026-01-13,Lidl,-5.00,Completed',
      '2026-01-14,Hotel *,-70.00,Completed',
    ]);
    expect(withStatus.question?.requiresOption).toBeUndefined();
  });
});
