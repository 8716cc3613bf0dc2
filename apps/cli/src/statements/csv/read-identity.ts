import type { RowContentOfFile } from '../statement-row.js';
import type { DateReader } from './date-format.js';
import { type DecimalSeparator, parseAmount } from './parse-amount.js';
import { type CellsInHand, cellOf, nameIn } from './read-cell.js';

/**
 * Reads by what a row is known again: the texts of the columns that rows of these headers were first recorded with, and
 * the amount as the file marks it. Which side a mark or a word means is not asked, because flags can turn that.
 *
 * @param row.positions those of the identity's columns
 * @param asRead what the row is now taken for; day and amount are from there where those columns do not tell them
 */
export function readIdentity(
  row: CellsInHand,
  asRead: { readonly occurredOn: string; readonly amountDecimal: string } & {
    readonly readDate: DateReader;
    readonly decimalSeparator: DecimalSeparator;
  },
): RowContentOfFile {
  return {
    occurredOn: asRead.readDate(cellOf(row, 'date') ?? '') ?? asRead.occurredOn,
    signedAmount: readSignedAmount(row, asRead.decimalSeparator) ?? asRead.amountDecimal,
    description: cellOf(row, 'description') ?? null,
    merchantName: nameIn(row, 'merchant'),
    categoryName: nameIn(row, 'category'),
  };
}

/** `"-12.5"`; beside a word `"debit 12.5"`; of two columns `"debit 12.5"` again, and `"debit -12.5"` for a reversal. */
function readSignedAmount(row: CellsInHand, decimalSeparator: DecimalSeparator): string | undefined {
  const read = (name: 'amount' | 'debit' | 'credit') => {
    const parsed = parseAmount(cellOf(row, name) ?? '', decimalSeparator);
    if (parsed === undefined || parsed.amountDecimal === '0') return undefined;
    return parsed.mark === 'minus' ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
  };
  if (row.positions.amount === undefined) {
    const [debit, credit] = [read('debit'), read('credit')];
    if (debit !== undefined) return `debit ${debit}`;
    return credit === undefined ? undefined : `credit ${credit}`;
  }
  const amount = read('amount');
  const word = cellOf(row, 'direction')?.toLowerCase();
  return amount === undefined || word === undefined ? amount : `${word} ${amount}`;
}
