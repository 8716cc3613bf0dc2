import type { StatementDirection } from '../statement-row.js';
import type { CsvColumns } from './csv-columns.js';
import type { AmountMark } from './parse-amount.js';

/** Where an amount stands: a column of its own sign, one beside a word, or one of two columns. */
export type AmountPlace = 'amount' | 'expense-word' | 'income-word' | 'debit' | 'credit';

/** How often each mark was seen in each place, over the whole file. */
export type MarkCounts = Readonly<Record<AmountPlace, Readonly<Record<AmountMark, number>>>>;

/**
 * Decides whether a row is an expense or income. The same `-5` can mean both: the habit of the whole file decides.
 *
 * - A column of its own: where anything is negative, signs tell. Where nothing is and something has `+` or `CR`, it is
 *   a card statement and plain amounts are purchases (contract, section 11). With no sign at all they are purchases
 *   too, never income; whoever opens the file has that confirmed, see {@link isWithoutSigns}. Where a person has said
 *   that a minus is income, everything without one is an expense; where one has said that it is an expense, plain amounts
 *   are income also in a file that happens to have no minus.
 * - Beside a word the word tells. A minus that agrees with it, in a file that always writes so, is only decoration;
 *   one that contradicts it, or is unlike the file's other rows, may be a reversal, and guessing would record the
 *   wrong side: the row fails.
 * - Two columns: the column tells; in a column that has both, a minus is a reversal and turns the side.
 *
 * @returns undefined when word and sign contradict each other
 */
export function decideDirection(
  place: AmountPlace,
  mark: AmountMark,
  { marks, minusMeans }: { readonly marks: MarkCounts; readonly minusMeans: StatementDirection | undefined },
): StatementDirection | undefined {
  const seen = marks[place];
  const mixed = seen.minus > 0 && seen.bare + seen.plus > 0;
  switch (place) {
    case 'amount':
      if (minusMeans === 'income') return mark === 'minus' ? 'income' : 'expense';
      if (mark === 'minus') return 'expense';
      if (mark === 'plus' || seen.minus > 0) return 'income';
      return minusMeans === 'expense' && seen.plus === 0 ? 'income' : 'expense';
    case 'expense-word':
      return mark === 'plus' || (mark === 'minus' && mixed) ? undefined : 'expense';
    case 'income-word':
      return mark === 'minus' ? undefined : 'income';
    case 'debit':
      return mark === 'minus' && mixed ? 'income' : 'expense';
    case 'credit':
      return mark === 'minus' && mixed ? 'expense' : 'income';
  }
}

/** Whether nothing in a file, neither sign nor column nor word, says which way its amounts go: only a person can. */
export function isWithoutSigns(plan: {
  readonly columns: CsvColumns;
  readonly marks: MarkCounts;
  readonly minusMeans: StatementDirection | undefined;
}): boolean {
  const { columns, marks } = plan;
  if (plan.minusMeans !== undefined) return false;
  const isBare = marks.amount.bare > 0 && marks.amount.minus + marks.amount.plus === 0;
  return columns.amount !== undefined && columns.direction === undefined && isBare;
}

/** Counts for a file of which nothing has been seen yet. */
export function emptyMarkCounts(): Record<AmountPlace, Record<AmountMark, number>> {
  const none = () => ({ minus: 0, plus: 0, bare: 0 });
  return { amount: none(), 'expense-word': none(), 'income-word': none(), debit: none(), credit: none() };
}
