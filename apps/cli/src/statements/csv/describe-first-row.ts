import { describeAmount } from '../describe-amount.js';
import type { CsvPlan } from './csv-plan.js';
import { readRows } from './read-rows.js';

/**
 * The first transaction of a file as it is going to be recorded: a wrong side or a month taken for a day is seen there,
 * and not in the names of columns and formats. Nothing where no row can be read.
 */
export async function describeFirstRow(plan: CsvPlan): Promise<readonly (readonly [label: string, value: string])[]> {
  for await (const row of readRows(plan)) {
    if (row.outcome !== 'transaction') continue;
    const { occurredOn, direction, amountDecimal, currencyCode, description, merchantName } = row.transaction;
    const amount = describeAmount(amountDecimal, currencyCode);
    const text = (description ?? merchantName ?? '').replace(/\s+/g, ' ');
    const told = [`${occurredOn}, ${direction} of ${amount}`, ...(text === '' ? [] : [text])].join(': ');
    return [['first row', `line ${row.line} is ${told}`]];
  }
  return [];
}
