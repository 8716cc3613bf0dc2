import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readInTest } from '../../../test-support/read-statement.js';

/** A row of a statement: signed cents, negative for an expense. A reversal has the column or the code of the other direction. */
interface Row {
  readonly cents: number;
  readonly isReversal: boolean;
}

const row = fc
  .tuple(fc.integer({ min: 1, max: 99_999 }), fc.boolean())
  .map(([cents, isIncome]): Row => ({ cents: isIncome ? cents : -cents, isReversal: false }));
// At most a tenth of the rows are reversals.
const rows = fc
  .array(row, { minLength: 10, maxLength: 30 })
  .chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.uniqueArray(fc.nat({ max: all.length - 1 }), { maxLength: Math.floor(all.length / 10) }),
    ),
  )
  .map(([all, reversed]) => all.map((one, index) => ({ ...one, isReversal: reversed.includes(index) })));
const style = fc.record({
  layout: fc.constantFrom('codes', 'two columns'),
  expensesHaveMinus: fc.boolean(),
  isDebt: fc.boolean(),
  isNewestFirst: fc.boolean(),
});

it('the CSV reader reads every direction correctly or requires an option if the file has reversals and a balance column', async () => {
  await fc.assert(
    fc.asyncProperty(rows, style, async (all, { layout, expensesHaveMinus, isDebt, isNewestFirst }) => {
      let balance = 10_000_000;
      const lines = all.map(({ cents, isReversal }, index) => {
        balance += isDebt ? -cents : cents;
        const isExpense = cents < 0 !== isReversal;
        const hasMinus = (isExpense && expensesHaveMinus) !== isReversal;
        const amount = `${hasMinus ? '-' : ''}${(Math.abs(cents) / 100).toFixed(2)}`;
        const codes = `${isExpense ? 'DEBIT' : 'CREDIT'},${amount}`;
        const columns = isExpense ? `${amount},` : `,${amount}`;
        const day = String(index + 1).padStart(2, '0');
        return `2026-01-${day},${layout === 'codes' ? codes : columns},${(balance / 100).toFixed(2)}`;
      });
      const header = `Date,${layout === 'codes' ? 'Type,Amount' : 'Debit,Credit'},Balance`;
      const file = [header, ...(isNewestFirst ? lines.toReversed() : lines)].join('\n');
      const { statement, transactions } = await readInTest(file);
      if (statement.reading?.doubt?.requiresOption === true) return;
      for (const { direction, occurredOn } of transactions) {
        const cents = all[Number(occurredOn.slice(-2)) - 1]?.cents ?? 0;
        expect([occurredOn, direction]).toEqual([occurredOn, cents < 0 ? 'expense' : 'income']);
      }
    }),
  );
});
