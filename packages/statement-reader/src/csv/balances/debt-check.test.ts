import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const card = [
  '01/13/2026,LIDL,25.00,,125.00',
  '01/14/2026,PAYMENT - THANK YOU,,100.00,25.00',
  '01/15/2026,ALDI,12.50,,37.50',
  '01/16/2026,REWE,10.00,,47.50',
];
const question = (reason: string) => ({
  message: `Only the balance shows which of the columns "column 4" and "column 3" is money out. It may be the balance of a debt: ${reason}.`,
  remedy:
    'If it is a debt, swap the columns: --debit-column "column 3" --credit-column "column 4". If it is money in an account, use --debit-column "column 4" --credit-column "column 3".',
  requiresOption: true,
});

describe('a file without headers in which only the balance distinguishes the two amount columns', () => {
  it.each(['oldest first', 'newest first'])(
    'requires an option if a received payment makes the balance smaller, with the rows %s',
    async (order) => {
      const { question: found } = await readExport(order === 'oldest first' ? card : card.toReversed());
      const line = order === 'oldest first' ? 2 : 3;
      expect(found).toEqual(question(`line ${line} ("PAYMENT - THANK YOU") would be an expense`));
    },
  );

  it('requires an option if a refund makes the balance smaller, or most rows make it larger, because it may be a debt', async () => {
    const refund = await readExport(card.map((line) => line.replace('PAYMENT - THANK YOU', 'Refund Shop')));
    expect(refund.question).toEqual(question('line 2 ("Refund Shop") would be an expense'));
    const other = await readExport(card.map((line) => line.replace('PAYMENT - THANK YOU', 'TRANSFER')));
    expect(other.question).toEqual(question('3 of 4 rows would be incomes'));
  });

  it('is read with purchases as expenses if --debit-column and --credit-column name its columns', async () => {
    const options = { columns: { debit: 'column 3', credit: 'column 4' } };
    const { rows, question: found } = await readExport(card, options);
    expect(found?.message ?? '').not.toContain('debt');
    expect(rows).toEqual([
      '2026-01-13 -25 LIDL',
      '2026-01-14 +100 PAYMENT - THANK YOU',
      '2026-01-15 -12.5 ALDI',
      '2026-01-16 -10 REWE',
    ]);
  });

  it('requires no option if most rows make the balance smaller, or a refund makes it larger', async () => {
    const bank = [
      '01/13/2026,LIDL,25.00,,975.00',
      '01/14/2026,PAYROLL,,100.00,1075.00',
      '01/15/2026,ALDI,12.50,,1062.50',
      '01/16/2026,REWE,10.00,,1052.50',
    ];
    const read = await readExport(bank);
    expect(read.question?.requiresOption).toBeUndefined();
    expect(read.rows[0]).toBe('2026-01-13 -25 LIDL');
    const refunds = [
      '01/13/2026,Shop,25.00,,975.00',
      '01/14/2026,Refund,,100.00,1075.00',
      '01/15/2026,Interest,,12.50,1087.50',
    ];
    expect((await readExport(refunds)).question?.requiresOption).toBeUndefined();
  });
});

it('columns of amounts that only the balance distinguishes require an option if the header of the balance names a debt', async () => {
  const { question: found } = await readExport([
    'Date,Details,Money spent,Repaid,Owed',
    '13/03/2026,WOOLWORTHS,45.20,,545.20',
    '15/03/2026,BPAY,,300.00,245.20',
    '17/03/2026,SHELL,60.00,,305.20',
  ]);
  expect(found).toMatchObject({
    message: expect.stringContaining('It may be the balance of a debt: its header is "Owed".'),
    requiresOption: true,
  });
});

it('amounts without a sign are refused if the balance becomes larger in each row, because it may be a debt', async () => {
  const purchases = ['01/13/2026,LIDL,25.00,,125.00', '01/15/2026,ALDI,12.50,,137.50', '01/16/2026,REWE,10.00,,147.50'];
  await expect(readExport(purchases)).rejects.toMatchObject({
    message: 'No amount has a sign, and the balance may be that of a debt: it becomes larger in all 2 rows.',
  });
  const { rows } = await readExport(purchases, { allExpenses: true, ignoresBalance: true });
  expect(rows[0]).toBe('2026-01-13 -25 LIDL');
});
