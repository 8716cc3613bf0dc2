import { CardSigns, reversedSignsError } from '../card-signs.js';
import { findBalanceReason } from '../not-booked.js';
import type { StatementAccount, StatementDirection } from '../statement.js';
import { AccountSigns, TypeSigns } from './account-signs.js';
import { readOfxAmount } from './amounts.js';
import type { OfxEntry } from './entries.js';
import type { OfxFields } from './records.js';

/**
 * The rule that decides between expense and income in a whole file: the sign of the amount, the type (TRNTYPE), or the
 * reversed sign. `example` is a type in the file that shows why this rule applies. If the types decide, it is `DEBIT`, or undefined if
 * no row has this type. If an option reversed the signs, `example` is undefined.
 */
export type OfxSignConvention =
  | { readonly decidedBy: 'sign' }
  | { readonly decidedBy: 'type'; readonly example: string | undefined }
  | { readonly decidedBy: 'reversedSign'; readonly example: string | undefined };

/**
 * Detects the sign convention of a file. OFX requires a minus for money out (section 11.4.2). But some programs write
 * every amount without a sign, and only TRNTYPE shows the direction. Some card issuers write purchases without a sign and
 * payments to the card with a minus. If the signs decided, all spending in these files would be income.
 *
 * The type of a row agrees with its sign if the type means money out and the amount has a minus, or if the type means money in and the
 * amount has no minus. In the other two cases, the type contradicts the sign. The signs of a file are contradicted if no type agrees with
 * its sign, and at least two types contradict their sign. Below, an expense is a row whose type means money out, with or without a minus.
 *
 * - If no amount has a minus, and some type means money out, the types decide. But if no row has the type DEBIT, all rows with other
 *   types for money out fail, because they may be incomes. For example, a row with the type PAYMENT may be a payment from a client.
 * - The types also decide if no amount has a minus, and a row of a card or loan has a type such as OTHER or INT, which may be money
 *   in or out. Such a row fails.
 * - If some amount has a minus, the signs of all rows are reversed if the signs are contradicted, and an expense of a card or loan has no
 *   minus. Without such an expense, the types prove nothing, because some banks write CREDIT on every row.
 * - In all other files, the signs decide and not the types, because some banks use wrong types.
 *
 * @param requested the sign convention that an option requires; if defined, it is returned, but only after all entries were read
 * @throws StatementError if `entries` throws one, or if only the user can decide. The user must decide if some amount has a minus, and
 *   one of these is true:
 *   - The signs are contradicted, and an expense of an account other than a card or loan has no minus.
 *   - The signs would be reversed, but a payment to a card has no minus.
 *   - One account of several has other signs than the file as a whole, see {@link AccountSigns}.
 *   - The signs would decide, but one of these is true for the rows of cards and loans:
 *     - Some type contradicts its sign, and no type agrees with its sign.
 *     - An expense has no minus, and at least as many types contradict their signs as agree with them.
 *     - There are payments to cards, and all of them have a minus.
 *     - No type agrees with its sign, and no row is a payment to a card. At least half of the amounts of cards, but not all, have no
 *       minus.
 */
export async function detectOfxSignConvention(
  entries: AsyncIterable<OfxEntry>,
  requested: OfxSignConvention | undefined,
): Promise<OfxSignConvention> {
  const card = new CardSigns();
  const accounts = new AccountSigns();
  const types = { bank: new TypeSigns(), debt: new TypeSigns() };
  let [hasMinus, hasDebit, hasUnclearRowOfDebt] = [false, false, false];
  for await (const entry of entries) {
    if (entry.kind !== 'transaction' || entry.isPending) continue;
    if (findBalanceReason(nameOf(entry.fields)) !== undefined) continue;
    // A wrong decimal separator may be assumed here, but this changes neither the sign of the amount nor whether it is zero.
    const amount = readOfxAmount(entry.fields.get('TRNAMT') ?? '');
    if (amount === undefined || amount.amountDecimal === '0') continue;
    const type = ofxTypeOf(entry.fields);
    const direction = directionOfType(type, entry.account?.type ?? null);
    const isMinus = amount.sign === 'minus';
    const text = entry.fields.get('NAME') ?? '';
    const signed = { direction, isMinus, type, text };
    accounts.add(entry.account, signed);
    if (entry.account?.type === 'credit_card') card.add({ isMinus, text });
    const isOfDebt = isDebt(entry.account?.type);
    types[isOfDebt ? 'debt' : 'bank'].add(signed);
    hasMinus ||= isMinus;
    hasDebit ||= type === 'DEBIT';
    hasUnclearRowOfDebt ||= isOfDebt && direction === undefined && !paymentTypes.has(type);
  }
  if (requested !== undefined) return requested;
  const { bank, debt } = types;
  const plainExpense = bank.plainExpense ?? debt.plainExpense;
  if (!hasMinus) {
    if (plainExpense === undefined && !hasUnclearRowOfDebt) return { decidedBy: 'sign' };
    return { decidedBy: 'type', example: hasDebit ? 'DEBIT' : undefined };
  }
  const isContradicted = bank.agreeing + debt.agreeing === 0 && bank.contradicting + debt.contradicting > 1;
  const { remedy } = accounts;
  if (isContradicted && bank.plainExpense !== undefined) throw reversedSignsError(bank.plainExpense.text, remedy);
  if (debt.plainExpense !== undefined) {
    // With reversed signs, a payment to a card that has no minus would be an expense.
    if (isContradicted && card.hasPlainPayment) throw reversedSignsError(debt.plainExpense.text, remedy);
    if (isContradicted) {
      accounts.requireReversedSigns();
      return { decidedBy: 'reversedSign', example: debt.plainExpense.type };
    }
    if (debt.contradicting >= debt.agreeing) throw reversedSignsError(debt.plainExpense.text, remedy);
  }
  if (debt.contradiction !== undefined && debt.agreeing === 0) throw reversedSignsError(debt.contradiction, remedy);
  card.requireBankSigns(remedy);
  if (types.debt.agreeing === 0) card.requireMostlyMinus(remedy);
  accounts.requireBankSigns();
  return { decidedBy: 'sign' };
}

/**
 * Returns the direction of a TRNTYPE; undefined if the type has no direction. In OFX, POS and ATM can have both directions. Here
 * they mean an expense, because nearly all rows with these types are expenses. On a card or a loan, interest may also be charged
 * and a payment may also be received, so the types of interest and payments have no direction there.
 */
export function directionOfType(type: string, account: StatementAccount['type']): StatementDirection | undefined {
  if (isDebt(account) && otherOnDebts.has(type)) return undefined;
  if (moneyOut.has(type)) return 'expense';
  return moneyIn.has(type) ? 'income' : undefined;
}

function isDebt(account: StatementAccount['type'] | undefined): boolean {
  return account === 'credit_card' || account === 'loan';
}

/** Returns the name of the counterparty or, if there is none, the memo. */
export function nameOf(fields: OfxFields): string {
  return fields.get('NAME') ?? fields.get('PAYEE.NAME') ?? fields.get('MEMO') ?? '';
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
const paymentTypes: ReadonlySet<string> = new Set(['PAYMENT', 'REPEATPMT']);
/** The types that may be money in or out on a card or a loan. */
const otherOnDebts: ReadonlySet<string> = new Set(['INT', ...paymentTypes]);
