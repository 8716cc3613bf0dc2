import type { FakeApi } from './fake-api.js';
import { writeStatement } from './statement-files.js';

const header = 'Date,Description,Amount,Transaction Type,Category,Account Name';

/** A purchase, and the two rows of one card payment: the debit in Checking and the credit in Platinum Card. */
export const shop = '01/20/2026,Shop,12.00,debit,Shopping,Checking';
export const paid = '01/22/2026,Card Payment,554.99,debit,Payments,Checking';
export const arrived = '01/24/2026,Thank You,554.99,credit,Payments,Platinum Card';

/** Writes a statement with the given CSV rows; {@link shop} is an example of a row. Returns the path of the file. */
export function writeRows(...rows: string[]): Promise<string> {
  return writeStatement([header, ...rows].join('\n'));
}

export function writeHousehold(): Promise<string> {
  return writeRows(shop, paid, arrived);
}

/** The changes of the balances of Checking and Platinum Card if `shop`, `paid` and `arrived` are each recorded exactly once. */
export const rightBalances = [-566.99, 554.99];

/** Returns the signed sum of all movements of an account, which is the change of its balance. */
export function balanceOf(api: FakeApi, name: string): number {
  const account = api.accounts.find((candidate) => candidate.name === name);
  const own = api.movements.filter(({ accountId }) => accountId === account?.id);
  const cents = own.map(
    ({ type, amountDecimal }) => Math.round(Number(amountDecimal) * 100) * (type === 'income' ? 1 : -1),
  );
  return cents.reduce((sum, amount) => sum + amount, 0) / 100;
}

export function balancesOf(api: FakeApi): readonly number[] {
  return [balanceOf(api, 'Checking'), balanceOf(api, 'Platinum Card')];
}
