import type { StatementAccount } from '../statement-format.js';
import type { StatementDirection } from '../statement-row.js';
import type { OfxFields } from './ofx-event.js';

/**
 * What a TRNTYPE says by itself of money in or out, for amounts that have no signs; undefined for one that says nothing.
 * OFX lets POS and ATM be either and leaves it to the sign; where no signs are, they are what they nearly always are.
 * Of an account that is a debt, interest may be charged and a payment received, so there neither of them tells.
 */
export function readOfxType(type: string, account: StatementAccount['type']): StatementDirection | undefined {
  const isDebt = account === 'credit_card' || account === 'loan';
  if (isDebt && otherOnDebts.has(type)) return undefined;
  if (moneyOut.has(type)) return 'expense';
  return moneyIn.has(type) ? 'income' : undefined;
}

/** TRNTYPE as OFX spells it; empty where there is none. */
export function ofxTypeOf(fields: OfxFields): string {
  return fields.get('TRNTYPE')?.toUpperCase() ?? '';
}

const moneyOut: ReadonlySet<string> = new Set([
  'DEBIT',
  'CHECK',
  'PAYMENT',
  'REPEATPMT',
  'POS',
  'ATM',
  'FEE',
  'SRVCHG',
  'CASH',
  'DIRECTDEBIT',
]);
const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const otherOnDebts: ReadonlySet<string> = new Set(['INT', 'PAYMENT', 'REPEATPMT']);
