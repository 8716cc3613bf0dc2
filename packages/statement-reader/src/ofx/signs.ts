import { CardSigns } from '../card-signs.js';
import type { StatementAccount, StatementDirection } from '../statement.js';
import { type ParsedAmount, parseAmount } from '../values/amounts.js';
import type { OfxEntry } from './entries.js';
import type { OfxFields } from './records.js';

/**
 * The rule that decides between expense and income in a whole file: the sign of the amount, the type, or the reversed
 * sign. `example` is a type of the file that shows why; undefined if no type does.
 */
export type OfxSignConvention =
  | { readonly decidedBy: 'sign' }
  | { readonly decidedBy: 'type'; readonly example: string | undefined }
  | { readonly decidedBy: 'reversedSign'; readonly example: string | undefined };

/**
 * Detects the sign convention of a file. OFX requires a minus for money out (section 11.4.2). But some programs write
 * every amount without a sign, and only TRNTYPE shows the direction. Some card issuers write purchases without a sign and
 * payments with a minus. If the signs decided, all spending in these files would be income.
 *
 * - If no amount has a minus, and some type means money out, the types decide. They also decide if some row of a card or loan
 *   has a type that is used for purchases and refunds, such as OTHER. These rows fail. So do POS and ATM if no other type means
 *   money out, because all rows may be incomes.
 * - The signs are reversed, for rows of all types, under three conditions. Some amount has a minus. No type agrees with
 *   its sign. The type of at least two rows contradicts their sign, and one of these rows is an expense without a minus.
 *   The expense is required because some banks write CREDIT on every row.
 * - Otherwise the signs decide. One row whose type agrees with its sign is enough, because some banks use wrong types.
 *   Reading stops at that row, so only a few rows of nearly every file are read.
 *
 * @throws StatementError if `entries` throws one, or a card has the signs of a bank and a received payment with a minus
 */
export async function detectOfxSignConvention(entries: AsyncIterable<OfxEntry>): Promise<OfxSignConvention> {
  const card = new CardSigns();
  let contradictions = 0;
  let plainExpense: string | undefined;
  let certainExpense: string | undefined;
  let [hasMinus, hasPlainIncome, hasPlainRowOfDebt] = [false, false, false];
  for await (const entry of entries) {
    if (entry.kind !== 'transaction' || entry.isPending) continue;
    const amount = readOfxAmount(entry.fields.get('TRNAMT') ?? '');
    if (amount === undefined || amount.amountDecimal === '0') continue;
    const type = ofxTypeOf(entry.fields);
    const direction = directionOfType(type, entry.account?.type ?? null);
    const isMinus = amount.sign === 'minus';
    if (entry.account?.type === 'credit_card') card.add({ isMinus, text: entry.fields.get('NAME') ?? '' });
    hasMinus ||= isMinus;
    hasPlainIncome ||= !isMinus && direction === 'income';
    // An income without a sign proves nothing until a minus occurs, because expenses may have no sign either.
    if (hasMinus && (hasPlainIncome || (isMinus && direction === 'expense'))) return { decidedBy: 'sign' };
    if (!isMinus && direction === 'expense') {
      plainExpense ??= type;
      if (!needsSign.has(type)) certainExpense ??= type;
    }
    hasPlainRowOfDebt ||= direction === undefined && isDebt(entry.account?.type) && !otherOnDebts.has(type);
    if (direction !== undefined && isMinus === (direction === 'income')) contradictions += 1;
  }
  if (!hasMinus) {
    const isBySign = plainExpense === undefined && !hasPlainRowOfDebt;
    return isBySign ? { decidedBy: 'sign' } : { decidedBy: 'type', example: certainExpense };
  }
  if (plainExpense === undefined || contradictions < 2) {
    card.requireBankSigns();
    return { decidedBy: 'sign' };
  }
  return { decidedBy: 'reversedSign', example: plainExpense };
}

/**
 * Returns the direction of a TRNTYPE for amounts without signs; undefined if the type has no direction. In OFX, POS and
 * ATM can have both directions, and the sign decides; without signs they are nearly always expenses. On a card or a loan,
 * interest may be charged and a payment received, so these types have no direction there.
 */
export function directionOfType(type: string, account: StatementAccount['type']): StatementDirection | undefined {
  if (isDebt(account) && otherOnDebts.has(type)) return undefined;
  if (moneyOut.has(type)) return 'expense';
  return moneyIn.has(type) ? 'income' : undefined;
}

function isDebt(account: StatementAccount['type'] | undefined): boolean {
  return account === 'credit_card' || account === 'loan';
}

/** Returns TRNTYPE in capitals; empty if there is none. */
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
/** Types for both directions, between which the sign decides in OFX. */
export const needsSign: ReadonlySet<string> = new Set(['POS', 'ATM']);
const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const otherOnDebts: ReadonlySet<string> = new Set(['INT', 'PAYMENT', 'REPEATPMT']);

/**
 * Parses an amount. OFX allows a decimal point or comma and no group separators, but some banks write group separators.
 * @returns undefined if the text is not an amount, or can be read as two different amounts
 */
export function readOfxAmount(text: string): ParsedAmount | undefined {
  // `1,234` may be 1234 or 1.234, and the text does not show which.
  if (/^[+-]?\s*\d{1,3},\d{3}$/.test(text)) return undefined;
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  return parseAmount(text, isComma ? ',' : '.');
}
