import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

const hotel = '2026-01-16,HOTEL,-250.00';
const booked = ['2026-01-15,SALARY,2500.00', '2026-01-13,SHOP,-45.12'];
const file = (...lines: string[]) => ['Date,Description,Amount', ...lines];

describe('rows below a section title in a CSV file', () => {
  it.each([
    ['Movimientos no facturados', 'Movimientos facturados'],
    ['Noch nicht gebuchte Umsätze', 'Gebuchte Umsätze'],
    ['Card authorisations', 'Posted transactions'],
    ['The following transactions are not yet booked:', 'Booked:'],
  ])('require an option, because they may be pending: %s', async (title, other) => {
    const { question } = await readExport(file(title, hotel, other, ...booked));
    expect(question).toEqual({
      message: `A title may divide the rows: line 2, "${title}". The rows below it may be pending, or of another account.`,
      remedy: `Take such rows out of the file. If all rows are booked and of one account, use --final-status "${title}".`,
      requiresOption: true,
    });
    const accepted = await readExport(file(title, hotel, other, ...booked), { finalStatuses: [title] });
    expect(accepted.question?.requiresOption).toBeUndefined();
    expect(accepted.rows).toHaveLength(3);
  });

  it('require an option that names each title, because the rows may be of several accounts', async () => {
    const { question } = await readExport(file('Girokonto', hotel, 'Tagesgeld', ...booked));
    expect(question?.message).toContain('line 2, "Girokonto"; line 4, "Tagesgeld"');
    expect(question?.remedy).toContain('--final-status "Girokonto" --final-status "Tagesgeld"');
  });

  it('require an option if the title is "Currency,USD", because they may be in another currency', async () => {
    const euro = ['Account,Everyday,', 'Currency,EUR,', 'Date,Description,Amount', ...booked];
    const dollars = ['Account,Dollars,', 'Currency,USD,', 'Date,Description,Amount', hotel];
    const { question } = await readExport([...euro, ...dollars]);
    expect(question).toMatchObject({
      requiresOption: true,
      message: expect.stringContaining('line 7, "Currency USD"'),
    });
  });

  it('require no option if the balance column agrees with all rows', async () => {
    const lines = [
      'Date,Description,Amount,Balance',
      '2026-01-13,SHOP,-5,95',
      'In progress',
      '2026-01-16,HOTEL,-20,75',
    ];
    expect((await readExport([...lines, '2026-01-17,BAR,-5,70'])).question?.requiresOption).toBeUndefined();
  });

  it('require no option if more than ten lines may be titles, or if the only title is the last line of the file', async () => {
    expect((await readExport(file(hotel, ...booked, 'End of list'))).question?.requiresOption).toBeUndefined();
    const details = Array.from({ length: 11 }, (_, index) => [`2026-01-${index + 11},SHOP,-5.00`, `Terminal ${index}`]);
    expect((await readExport(file(...details.flat(), hotel))).question?.requiresOption).toBeUndefined();
  });
});
