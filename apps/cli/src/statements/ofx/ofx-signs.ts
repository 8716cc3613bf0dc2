import { ofxTypeOf, readOfxType } from './ofx-types.js';
import { readOfxAmount } from './read-ofx-amount.js';
import type { OfxEntry } from './read-ofx-entries.js';

/** What tells expense from income in a whole file: the signs of its amounts, or their types. */
export type OfxSigns = { readonly told: 'bySign' } | { readonly told: 'byType'; readonly example: string };

/**
 * Finds out whether the amounts of a file have signs. OFX wants them (section 11.4.2), but some programs write every
 * amount plain and leave the side to TRNTYPE; read by sign, all spending would be income. One amount with a minus shows
 * that there are signs, and where nothing is of a type that means money out, none is missing. It reads no further than
 * to the first minus, so nearly every file costs a few rows.
 *
 * @throws UsageError (exit 2) as reading the entries does
 */
export async function settleOfxSigns(entries: AsyncIterable<OfxEntry>): Promise<OfxSigns> {
  let example: string | undefined;
  for await (const { account, transaction } of entries) {
    if (transaction === null || transaction.isPending) continue;
    const amount = readOfxAmount(transaction.fields.get('TRNAMT') ?? '');
    if (amount === undefined || amount.amountDecimal === '0') continue;
    if (amount.mark === 'minus') return { told: 'bySign' };
    const type = ofxTypeOf(transaction.fields);
    if (readOfxType(type, account?.type ?? null) === 'expense') example ??= type;
  }
  return example === undefined ? { told: 'bySign' } : { told: 'byType', example };
}
