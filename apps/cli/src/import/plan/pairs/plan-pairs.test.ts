import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResolvedRow } from '../rows.js';
import { PairMatcher } from './plan-pairs.js';

interface Row {
  readonly account: string;
  readonly day: number;
  readonly amount: string;
  readonly out: boolean;
  readonly currency: string;
  /** The transfer to which the row belongs according to the file. */
  readonly group?: string;
}

function toResolvedRow({ account, day, amount, out, currency, group }: Row, index: number): ResolvedRow {
  return {
    index,
    line: index + 2,
    outcome: 'resolved',
    key: `key-${index}`,
    target: { id: account, name: account.toUpperCase(), type: 'checking', currencyCode: currency },
    transaction: {
      direction: out ? 'expense' : 'income',
      amountDecimal: amount,
      currencyCode: null,
      occurredOn: `2026-01-${String(day).padStart(2, '0')}`,
      description: null,
      merchantName: null,
      categoryName: null,
      accountName: account,
      statementId: null,
      ...(group !== undefined && { transferGroupId: group }),
    },
  };
}

function find(rows: readonly Row[], windowDays = 5) {
  const matcher = new PairMatcher();
  for (const [index, row] of rows.entries()) matcher.add(toResolvedRow(row, index));
  const plan = matcher.match(windowDays);
  const partners = rows.flatMap((_, index) => {
    const partner = plan.partnerOf(index);
    return partner === undefined ? [] : [[index, partner]];
  });
  const [pairs, ambiguous] = [[...plan.pairs()], [...plan.ambiguous()]];
  expect([pairs.length, ambiguous.length]).toEqual([plan.pairCount, plan.ambiguousCount]);
  return { partners, pairs, ambiguous };
}

const out = (account: string, day: number, amount = '50', currency = 'EUR'): Row => {
  return { account, day, amount, out: true, currency };
};
const into = (...args: Parameters<typeof out>): Row => ({ ...out(...args), out: false });

describe('a pair', () => {
  it('is two opposite rows with the same amount in two accounts, in either order', () => {
    expect(find([out('a', 3), into('b', 5)]).pairs).toEqual([
      {
        amount: '50.00 EUR',
        from: { index: 0, line: 2, day: '2026-01-03', account: 'A' },
        to: { index: 1, line: 3, day: '2026-01-05', account: 'B' },
      },
    ]);
    expect(find([into('b', 1), out('a', 3)]).partners).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it.each([
    ['of one account', [out('a', 3), into('a', 3)]],
    ['in the same direction', [out('a', 3), out('b', 3)]],
    ['with different amounts', [out('a', 3), into('b', 3, '50.01')]],
    ['in different currencies', [out('a', 3), into('b', 3, '50', 'USD')]],
    ['six days apart', [out('a', 3), into('b', 9)]],
  ])('is not made of two rows %s', (_, rows) => {
    expect(find(rows)).toMatchObject({ pairs: [], ambiguous: [] });
  });

  it('is found only if its rows are at most the allowed number of days apart', () => {
    expect(find([out('a', 3), into('b', 8)]).pairs).toHaveLength(1);
    expect(find([out('a', 3), into('b', 8)], 4).pairs).toHaveLength(0);
    expect(find([out('a', 3), into('b', 3)], 0).pairs).toHaveLength(1);
  });

  it.each(['0.05', '100.00', '1234567.89', '90071992547409.93', '90071992547409.92'])(
    'is shown with its exact amount: %s',
    (amount) => {
      const near = out('c', 3, '90071992547409.94');
      expect(find([out('a', 3, amount), near, into('b', 3, amount)]).pairs).toMatchObject([
        { amount: `${amount} EUR` },
      ]);
    },
  );

  it('does not contain a row that fits two other rows; the three rows are listed as ambiguous', () => {
    const { pairs, ambiguous } = find([out('a', 3), into('b', 3), into('c', 7), out('a', 20, '9'), into('b', 20, '9')]);
    expect(pairs.map(({ amount }) => amount)).toEqual(['9.00 EUR']);
    expect(ambiguous.map(({ type, row, lines }) => [type, row.line, lines])).toEqual([
      ['expense', 2, [3, 4]],
      ['income', 3, [2]],
      ['income', 4, [2]],
    ]);
  });
});

describe('rows that the file assigns to one transfer', () => {
  const halves = (...members: Row[]) => members.map((row) => ({ ...row, group: 'g' }));

  it('are a pair even if they are many days apart and a third row fits one of them', () => {
    expect(find([...halves(out('a', 3), into('b', 25)), into('c', 3)]).partners).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it.each([
    ['the amounts differ', [out('a', 3), into('b', 3, '49.99')]],
    ['there are three of them', [out('a', 3), into('b', 3), into('c', 3)]],
    ['there is only one, even if another row fits it', [out('a', 3)]],
    ['both are in the same direction', [out('a', 3), out('b', 3)]],
    ['both are in one account', [out('a', 3), into('a', 3)]],
  ])('are not a pair if %s', (_, members) => {
    expect(find([...halves(...members), into('d', 3)]).pairs).toEqual([]);
  });
});

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    account: fc.constantFrom('a', 'b', 'c'),
    day: fc.integer({ min: 1, max: 28 }),
    amount: fc.constantFrom('5', '50', '0.5'),
    out: fc.boolean(),
    currency: fc.constantFrom('EUR', 'USD'),
  }),
  { maxLength: 14 },
);

describe('two rows of a file', () => {
  it('are a pair if and only if each row fits the other row and no third row', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 0, max: 9 }), (file, windowDays) => {
        const fits = (one: Row, other: Row) =>
          one.out !== other.out &&
          one.account !== other.account &&
          one.amount === other.amount &&
          one.currency === other.currency &&
          Math.abs(one.day - other.day) <= windowDays;
        const fitsOf = (row: Row) => file.filter((other) => fits(row, other));
        const expected = file.flatMap((row, index) => {
          const [other, ...more] = fitsOf(row);
          const isPair = other !== undefined && more.length === 0 && fitsOf(other).length === 1;
          return isPair ? [[index, file.indexOf(other)]] : [];
        });
        const plan = find(file, windowDays);
        expect(plan.partners).toEqual(expected);
        expect(plan.pairs).toHaveLength(expected.length / 2);
        const fitting = file.filter((row) => fitsOf(row).length > 0).length;
        expect(plan.ambiguous).toHaveLength(fitting - expected.length);
      }),
    );
  });
});
