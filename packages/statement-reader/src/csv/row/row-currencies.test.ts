import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const header = 'Date,Description,Amount,Currency';
const blank = '2026-01-15,Bakery,-3.20,';
const rows = ['2026-01-13,Grocer,-20.00,EUR', '2026-01-14,Hotel,-90.00,USD'];
const failure =
  'line 4 failure: it has no currency, and other rows have "EUR" and "USD": fill in the column "Currency", or use --currency-column "" if all amounts are in the currency of the account';

describe('a row with an empty currency cell', () => {
  it('fails if other rows have several currencies, before or after it', async () => {
    expect((await readExport([header, ...rows, blank])).rows[2]).toBe(failure);
    expect((await readExport([header, blank, ...rows])).rows[0]).toBe(failure.replace('line 4', 'line 2'));
  });

  it('is read if all other rows have one currency, or if --currency-column is ""', async () => {
    const [first = ''] = rows;
    const same = ['eur', '€', 'Euro'].map((text) => first.replace('EUR', text));
    const one = await readExport([header, first, ...same, blank]);
    expect(one.rows[4]).toBe('2026-01-15 -3.2 Bakery');
    const none = await readExport([header, ...rows, blank], { columns: { currency: '' } });
    expect(none.rows[2]).toBe('2026-01-15 -3.2 Bakery');
  });

  it('is read if its amount or the header of the amounts names a currency', async () => {
    const euros = await readExport([header, ...rows, blank.replace('-3.20', '-3.20 EUR')]);
    expect(euros.rows[2]).toBe('2026-01-15 -3.2 EUR Bakery');
    const named = await readExport([header.replace('Amount', 'Amount (EUR)'), ...rows, blank]);
    expect(named.rows[2]).toBe('2026-01-15 -3.2 EUR Bakery');
  });
});
