import { describeAmount } from '../describe-amount.js';
import { addRow, describeSums, noSums, type RowSums } from '../row-sums.js';
import type { StatementTransaction } from '../statement-row.js';
import type { CsvPlan } from './csv-plan.js';
import { readRows } from './read-rows.js';

/**
 * The transactions of a file as they are going to be recorded: what they come to in each currency, and the first of them.
 * A wrong side or a month taken for a day is seen there, and not in the names of columns and formats. The file is read
 * once more, in constant memory: only with the whole plan is it known which rows count, and on which side.
 *
 * @returns nothing where no row can be read
 */
export async function describeRows(plan: CsvPlan): Promise<readonly (readonly [label: string, value: string])[]> {
  const sums = new Map<string | null, RowSums>();
  let first: string | undefined;
  for await (const row of readRows(plan)) {
    if (row.outcome !== 'transaction') continue;
    const { currencyCode } = row.transaction;
    const known = sums.get(currencyCode) ?? noSums();
    addRow(known, row);
    sums.set(currencyCode, known);
    first ??= `line ${row.line} is ${describeTransaction(row.transaction)}`;
  }
  if (first === undefined) return [];
  const totals = [...sums].map(([currencyCode, found]) => ['totals', describeSums(found, currencyCode)] as const);
  return [...totals, ['first row', first]];
}

function describeTransaction(transaction: StatementTransaction): string {
  const { occurredOn, direction, amountDecimal, currencyCode, description, merchantName } = transaction;
  const amount = describeAmount(amountDecimal, currencyCode);
  const text = (description ?? merchantName ?? '').replace(/\s+/g, ' ');
  return [`${occurredOn}, ${direction} of ${amount}`, ...(text === '' ? [] : [text])].join(': ');
}
