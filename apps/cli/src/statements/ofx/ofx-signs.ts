import { ofxTypeOf, readOfxType } from './ofx-types.js';
import { readOfxAmount } from './read-ofx-amount.js';
import type { OfxEntry } from './read-ofx-entries.js';

/**
 * What tells expense from income in a whole file: the signs of its amounts, their types where it has no signs, or its
 * signs turned around. `example` is a type that showed it.
 */
export type OfxSigns =
  | { readonly told: 'bySign' }
  | { readonly told: 'byType'; readonly example: string }
  | { readonly told: 'byTurnedSign'; readonly example: string };

/**
 * Finds out what the signs of a file mean. OFX wants a minus for money out (section 11.4.2), but some programs write
 * every amount plain and leave the side to TRNTYPE, and some card issuers write purchases plain and payments with a
 * minus; read by sign, all spending would be income. Where nothing has a minus and something is of a type that means
 * money out, the types tell. Where something has a minus and every type that tells a side, of two rows at least,
 * contradicts its sign, one of them a plain expense, the signs are turned, for the rows of other types too: some banks
 * write CREDIT on everything, so minuses under that type alone show nothing. A single row whose type agrees with its
 * sign is enough for the signs to stay as OFX wants them, since banks use types loosely; it reads no further than to
 * there, so nearly every file costs a few rows.
 *
 * @throws UsageError (exit 2) as reading the entries does
 */
export async function settleOfxSigns(entries: AsyncIterable<OfxEntry>): Promise<OfxSigns> {
  let contradictions = 0;
  let plainExpense: string | undefined;
  let [hasMinus, hasPlainIncome] = [false, false];
  for await (const { account, transaction } of entries) {
    if (transaction === null || transaction.isPending) continue;
    const amount = readOfxAmount(transaction.fields.get('TRNAMT') ?? '');
    if (amount === undefined || amount.amountDecimal === '0') continue;
    const type = ofxTypeOf(transaction.fields);
    const side = readOfxType(type, account?.type ?? null);
    const isMinus = amount.mark === 'minus';
    hasMinus ||= isMinus;
    hasPlainIncome ||= !isMinus && side === 'income';
    // In a file without any minus, plain income says nothing: plain expenses may stand beside it.
    if (hasMinus && (hasPlainIncome || (isMinus && side === 'expense'))) return { told: 'bySign' };
    if (!isMinus && side === 'expense') plainExpense ??= type;
    if (side !== undefined && isMinus === (side === 'income')) contradictions += 1;
  }
  if (!hasMinus) return plainExpense === undefined ? { told: 'bySign' } : { told: 'byType', example: plainExpense };
  if (plainExpense === undefined || contradictions < 2) return { told: 'bySign' };
  return { told: 'byTurnedSign', example: plainExpense };
}
