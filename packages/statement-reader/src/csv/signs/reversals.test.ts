import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';
import { readInTest } from '../../../test-support/read-statement.js';

/** A row of a statement: signed cents, negative for an expense. A reversal has the column or the code of the other direction. */
interface Row {
  readonly cents: number;
  readonly isReversal: boolean;
}

/** Returns whether a row has the column or the code of expenses. */
const isDebit = ({ cents, isReversal }: Row) => cents < 0 !== isReversal;

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
      const [oldest, ...later] = all;
      // Excludes files whose only debit is a reversal in the oldest row. Nothing shows this reversal: no balance precedes the row, and
      // there is no other debit with which its sign could be compared.
      fc.pre(oldest?.isReversal !== true || !isDebit(oldest) || later.some(isDebit));
      let balance = 10_000_000;
      const lines = all.map(({ cents, isReversal }, index) => {
        balance += isDebt ? -cents : cents;
        const isExpense = isDebit({ cents, isReversal });
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
      if (statement.interpretation?.question?.requiresOption === true) return;
      for (const { direction, occurredOn } of transactions) {
        const cents = all[Number(occurredOn.slice(-2)) - 1]?.cents ?? 0;
        expect([occurredOn, direction]).toEqual([occurredOn, cents < 0 ? 'expense' : 'income']);
      }
    }),
  );
});

const codes = 'Date,Type,Amount,Balance';
const columns = 'Date,Debit,Credit,Balance';
const accountOfCodes = [
  codes,
  '2026-01-01,CREDIT,-361.14,99638.86',
  '2026-01-02,DEBIT,0.03,99638.83',
  '2026-01-03,DEBIT,856.40,98782.43',
];
const debtOfCodes = [
  codes,
  '2026-01-01,CREDIT,-361.14,361.14',
  '2026-01-02,DEBIT,0.03,361.17',
  '2026-01-03,DEBIT,856.40,1217.57',
];
const accountOfColumns = [
  columns,
  '2026-01-01,,-361.14,99638.86',
  '2026-01-02,0.03,,99638.83',
  '2026-01-03,856.40,,98782.43',
];
const debtOfColumns = [columns, '2026-01-01,,-361.14,361.14', '2026-01-02,0.03,,361.17', '2026-01-03,856.40,,1217.57'];
const reason =
  'failure: its amount has a minus, and no balance shows that it is an income: use --minus income if it is, or record it manually';

describe('the only credit with a minus', () => {
  it.each([
    ['an account', 'codes', accountOfCodes],
    ['a debt', 'codes', debtOfCodes],
    ['an account', 'two columns', accountOfColumns],
    ['a debt', 'two columns', debtOfColumns],
  ])(
    'fails in the oldest row unless --minus or --ignore-balance is set: balance of %s, %s for debit and credit',
    async (_, __, [header = '', ...lines]) => {
      const others = ['2026-01-02 -0.03', '2026-01-03 -856.4'];
      const { rows, interpretation } = await readExport([header, ...lines]);
      expect(rows).toEqual([`line 2 ${reason}`, ...others]);
      expect(interpretation.signs ?? '').not.toContain('- is income');
      const newestFirst = await readExport([header, ...lines.toReversed()]);
      expect(newestFirst.rows).toEqual([...others.toReversed(), `line 4 ${reason}`]);
      for (const options of [{ minusMeans: 'income' }, { ignoresBalance: true }] as const)
        expect((await readExport([header, ...lines], options)).rows).toEqual(['2026-01-01 +361.14', ...others]);
    },
  );

  it.each([
    ['codes', [codes, '2026-01-01,CREDIT,-361.14', '2026-01-02,DEBIT,0.03']],
    ['two columns', [columns, '2026-01-01,,-361.14', '2026-01-02,0.03,']],
  ])(
    'is an income in a file without a balance column and with %s for debit and credit',
    async (_, [header = '', ...lines]) => {
      const file = [header.replace(',Balance', ''), ...lines];
      expect((await readExport(file)).rows).toEqual(['2026-01-01 +361.14', '2026-01-02 -0.03']);
    },
  );
});

it.each([
  ['codes', [...debtOfCodes, '2026-01-04,CREDIT,-1000.00,217.57']],
  ['two columns', [...debtOfColumns, '2026-01-04,,-1000.00,217.57']],
])(
  'a credit with a minus is an income if the balance shows that a later one is an income: %s for debit and credit',
  async (_, lines) => {
    const { rows, question } = await readExport(lines);
    expect(rows).toEqual(['2026-01-01 +361.14', '2026-01-02 -0.03', '2026-01-03 -856.4', '2026-01-04 +1000']);
    expect(question?.requiresOption).toBeUndefined();
  },
);

it.each([
  ['a debt with codes', ['DEBIT,7.00,995.00', 'DEBIT,5.00,1000.00', 'CREDIT,-56.40,1056.40', 'DEBIT,0.02,1056.42']],
  ['an account with two columns', ['7.00,,1005.00', '5.00,,1000.00', ',-56.40,943.60', '0.02,,943.58']],
  ['a debt with two columns', ['7.00,,995.00', '5.00,,1000.00', ',-56.40,1056.40', '0.02,,1056.42']],
])('a credit with a minus fails if the balance shows that it is an expense: %s', async (_, lines) => {
  const header = lines[0]?.startsWith('DEBIT') ? codes : columns;
  const { rows } = await readExport([header, ...lines.map((line, index) => `2026-01-0${index + 1},${line}`)]);
  expect(rows[2]).toBe(`line 4 ${reason}`);
  expect(rows.filter((_row, index) => index !== 2)).toEqual(['2026-01-01 -7', '2026-01-02 -5', '2026-01-04 -0.02']);
});

it.each([
  ['codes', 'Date,Type,Amount,Balance', 'CREDIT,', 'DEBIT,-356.40'],
  ['two columns', 'Date,Debit,Credit,Balance', ',', '-356.40,'],
])(
  'a debit requires --ignore-balance if it makes a debt smaller, in a file with %s for debit and credit',
  async (_, header, credit, debit) => {
    const lines = [
      `${credit}5.00,1000.00`,
      `${credit}7.00,993.00`,
      `${debit},636.60`,
      `${credit}10.00,626.60`,
      `${credit}20.00,606.60`,
    ];
    const { question } = await readExport([header, ...lines.map((line, index) => `2026-01-0${index + 1},${line}`)]);
    expect(question).toEqual({
      message:
        'The balance column may be that of a debt. If it is, it contradicts 1 of 5 rows: the balance before line 4 must be 280.20, but the balance after line 3 is 993.',
      remedy:
        'Look for a missing row, a row that is in the file twice, or a wrong column, or accept the amounts with --ignore-balance.',
      requiresOption: true,
    });
  },
);
