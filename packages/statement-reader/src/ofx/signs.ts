import type { StatementAccount, StatementDirection } from '../statement.js';
import { type ParsedAmount, parseAmount } from '../values/amounts.js';
import type { OfxEntry } from './entries.js';
import type { OfxFields } from './records.js';

/**
 * What decides between expense and income in a whole file: the sign of the amount, the type if the file has no signs,
 * or the reversed sign. `example` is a type that showed it.
 */
export type OfxSignConvention =
  | { readonly decidedBy: 'sign' }
  | { readonly decidedBy: 'type'; readonly example: string }
  | { readonly decidedBy: 'reversedSign'; readonly example: string };

/**
 * Detects the sign convention of a file. OFX wants a minus for money out (section 11.4.2). But some programs write
 * every amount without a sign and leave the direction to TRNTYPE, and some card issuers write purchases without a sign
 * and payments with a minus. Read by sign, all spending of such files would be income.
 *
 * - No amount has a minus, and some type means money out: the types decide.
 * - Some amount has a minus, and the type of at least two rows contradicts their sign, one of them a plain expense, and
 *   no type agrees with its sign: the signs are reversed, for rows of other types too. Some banks write CREDIT on every
 *   row, so minuses under that type alone show nothing.
 * - Else the signs decide. One row whose type agrees with its sign is enough, because banks use types loosely. Reading
 *   stops there, so that nearly every file costs a few rows.
 *
 * @throws StatementError as reading the entries does
 */
export async function detectOfxSignConvention(entries: AsyncIterable<OfxEntry>): Promise<OfxSignConvention> {
  let contradictions = 0;
  let plainExpense: string | undefined;
  let [hasMinus, hasPlainIncome] = [false, false];
  for await (const entry of entries) {
    if (entry.kind !== 'transaction' || entry.isPending) continue;
    const amount = readOfxAmount(entry.fields.get('TRNAMT') ?? '');
    if (amount === undefined || amount.amountDecimal === '0') continue;
    const type = ofxTypeOf(entry.fields);
    const direction = directionOfType(type, entry.account?.type ?? null);
    const isMinus = amount.sign === 'minus';
    hasMinus ||= isMinus;
    hasPlainIncome ||= !isMinus && direction === 'income';
    // Without any minus in the file, plain income proves nothing: there may be plain expenses too.
    if (hasMinus && (hasPlainIncome || (isMinus && direction === 'expense'))) return { decidedBy: 'sign' };
    if (!isMinus && direction === 'expense') plainExpense ??= type;
    if (direction !== undefined && isMinus === (direction === 'income')) contradictions += 1;
  }
  if (!hasMinus)
    return plainExpense === undefined ? { decidedBy: 'sign' } : { decidedBy: 'type', example: plainExpense };
  if (plainExpense === undefined || contradictions < 2) return { decidedBy: 'sign' };
  return { decidedBy: 'reversedSign', example: plainExpense };
}

/**
 * Returns the direction that a TRNTYPE means by itself, for amounts without signs; undefined if it means none. OFX lets
 * POS and ATM be either and leaves it to the sign; without signs they are nearly always expenses. On an account that is
 * a debt, interest may be charged and a payment received, so neither type decides there.
 */
export function directionOfType(type: string, account: StatementAccount['type']): StatementDirection | undefined {
  const isDebt = account === 'credit_card' || account === 'loan';
  if (isDebt && otherOnDebts.has(type)) return undefined;
  if (moneyOut.has(type)) return 'expense';
  return moneyIn.has(type) ? 'income' : undefined;
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
const moneyIn: ReadonlySet<string> = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'DIV', 'INT']);
const otherOnDebts: ReadonlySet<string> = new Set(['INT', 'PAYMENT', 'REPEATPMT']);

/**
 * Parses an amount. OFX has no group separators and takes a point or a comma for decimals, but banks group all the
 * same.
 * @returns undefined if the text is no amount, or could be two
 */
export function readOfxAmount(text: string): ParsedAmount | undefined {
  // `1,234` may be 1234 or 1.234. Nothing in the text tells which.
  if (/^[+-]?\s*\d{1,3},\d{3}$/.test(text)) return undefined;
  const isComma = text.lastIndexOf(',') > text.lastIndexOf('.');
  return parseAmount(text, isComma ? ',' : '.');
}
