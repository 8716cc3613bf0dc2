import { query } from '../database/query.js';
import type { Transaction } from '../database/transaction.js';

/** The balance of a cashbox: a decimal number in the main unit of the currency (euros, not cents). */
export interface CashboxBalance {
  readonly id: string;
  readonly currency_code: string;
  readonly balance: string;
}

/** Lists the balances of all cashboxes of a tracker, archived ones included, in the order of their ids. */
export function listCashboxBalances(tx: Transaction, trackerId: string): Promise<readonly CashboxBalance[]> {
  return query<CashboxBalance>(
    tx,
    `select c.id, a.currency_code, c.balance
     from app.cashboxes c
     join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id
     where c.tracker_id = :trackerId
     order by c.id`,
    { trackerId },
  );
}
