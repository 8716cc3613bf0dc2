import type { Movement } from '@centavo/sdk';
import { describe, expect, it } from 'vitest';
import { toSummaryRows, totalMovements } from './movement-totals.js';

type Fields = Partial<Record<keyof Movement, unknown>>;

async function* movements(rows: readonly Fields[]): AsyncGenerator<Movement> {
  for (const row of rows) {
    yield {
      type: 'expense',
      amountDecimal: '1.00',
      currencyCode: 'EUR',
      categoryId: 'cat_food',
      merchantName: null,
      occurredOn: '2026-01-15',
      ...row,
    } as Movement;
  }
}

const summarise = async (by: 'category' | 'month' | 'merchant', ...rows: readonly Fields[]) =>
  toSummaryRows(await totalMovements(movements(rows), by), { by, nameOf: (key) => key });

describe('a summary of movements', () => {
  it('is exact for amounts that binary floating-point numbers cannot represent', async () => {
    const rows = [
      ...Array.from({ length: 3 }, () => ({ amountDecimal: '0.10' })),
      { amountDecimal: '999999999999999.99' },
    ];
    expect(await summarise('category', ...rows)).toMatchObject([
      {
        expenseDecimal: '1000000000000000.29',
        incomeDecimal: '0.00',
        netDecimal: '-1000000000000000.29',
        movementCount: 4,
      },
    ]);
  });

  it('has separate rows for each currency, with the decimal places of that currency', async () => {
    const yen = { currencyCode: 'JPY', amountDecimal: '1200', type: 'income' };
    expect(await summarise('month', {}, yen)).toEqual([
      expect.objectContaining({ currencyCode: 'EUR', key: '2026-01', expenseDecimal: '1.00', netDecimal: '-1.00' }),
      expect.objectContaining({ currencyCode: 'JPY', key: '2026-01', incomeDecimal: '1200', netDecimal: '1200' }),
    ]);
  });

  it('orders months chronologically, and merchants by descending amount', async () => {
    const rows = [
      { occurredOn: '2026-03-01' },
      { occurredOn: '2025-12-31', amountDecimal: '5.00' },
      { merchantName: 'B' },
    ];
    expect((await summarise('month', ...rows)).map(({ key }) => key)).toEqual(['2025-12', '2026-01', '2026-03']);
    expect((await summarise('merchant', ...rows)).map(({ key }) => key)).toEqual([null, 'B']);
  });

  it('combines merchants whose names differ only in case into one row, with the name that occurs first', async () => {
    const rows = [{ merchantName: 'Mercadona' }, { merchantName: 'MERCADONA' }];
    expect(await summarise('merchant', ...rows)).toMatchObject([{ key: 'Mercadona', expenseDecimal: '2.00' }]);
  });
});
