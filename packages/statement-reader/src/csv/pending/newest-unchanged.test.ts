import { describe, expect, it } from 'vitest';
import { readExport } from '../../../test-support/read-export.js';

describe('the newest rows, if they do not change the balance', () => {
  const headers = 'Date,Description,Amount,Available balance,Ledger balance';
  const shop = '2026-03-13,Shop,-45.10,54.90,54.90';
  const pay = '2026-03-14,Salary,1500.00,1554.90,1554.90';
  const hotel = '2026-03-15,HOTEL,-120.00,1434.90,1554.90';
  const pending = (line: number) => ({
    message: `The newest row, line ${line}, does not change the balance, and may be pending.`,
    remedy: 'Take such rows out of the file. If they are final, use --ignore-balance.',
    requiresOption: true,
  });

  it('require an option, even if they change the available balance, in both orders of the rows', async () => {
    expect((await readExport([headers, shop, pay, hotel])).question).toEqual(pending(4));
    expect((await readExport([headers, hotel, pay, shop])).question).toEqual(pending(2));
    const spanish = headers.replace('Available balance,Ledger balance', 'Saldo disponible,Saldo contable');
    expect((await readExport([spanish, shop, pay, hotel])).question).toEqual(pending(4));
    const taxi = '2026-03-15,TAXI,-10.00,1424.90,1554.90';
    const fuel = '2026-03-14,Fuel,-54.90,1500.00,1500.00';
    const bar = '2026-03-15,Bar,-5.00,1495.00,1500.00';
    const two = await readExport([headers, shop, pay, fuel, bar, taxi.replace('1554.90', '1500.00')]);
    expect(two.question?.message).toBe('The newest rows, lines 5, 6, do not change the balance, and may be pending.');
    expect(
      (await readExport([headers, shop, pay, hotel], { ignoresBalance: true })).question?.requiresOption,
    ).toBeUndefined();
  });

  it('require no option if the ledger balance is the same in all rows, or if one balance is written for each day', async () => {
    const constant = [shop, pay, hotel].map((row) => row.replace(/[^,]+$/, '1434.90'));
    expect((await readExport([headers, ...constant])).question?.requiresOption).toBeUndefined();
    const daily = ['2026-03-13,A,-5.00,95.00', '2026-03-14,B,-10.00,75.00', '2026-03-14,C,-10.00,75.00'];
    const read = await readExport(['Date,Description,Amount,Balance', ...daily]);
    expect(read.question?.requiresOption).toBeUndefined();
  });
});
