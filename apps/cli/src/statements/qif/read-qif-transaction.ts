import { addDecimals } from '../add-decimals.js';
import type { DateReader } from '../csv/date-format.js';
import { type DecimalSeparator, parseAmount } from '../csv/parse-amount.js';
import type { StatementRow, StatementTransaction } from '../statement-row.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText } from '../tidy-text.js';
import { plainQifDate } from './plain-qif-date.js';
import type { QifRecord } from './read-qif-records.js';

/** What the whole file tells about each of its values. */
export interface QifPlan {
  readonly readDate: DateReader;
  readonly dateFormat: string;
  readonly decimalSeparator: DecimalSeparator;
}

/**
 * Makes the rows of one transaction: one, or one for each part of a split, because a movement has one category. The
 * parts must add up to the whole, else none of them is recorded. Parts may have both signs (a salary and its taxes).
 */
export function readQifTransaction(record: QifRecord, plan: QifPlan): readonly StatementRow[] {
  const { line, fields } = record;
  const failure = (reason: string): StatementRow[] => [{ line, outcome: 'failure', reason }];
  if (record.isInvestment) return [{ line, outcome: 'skipped', reason: 'it is a transaction of securities' }];
  const dateText = fields.get('D') ?? '';
  const occurredOn = plan.readDate(plainQifDate(dateText));
  if (occurredOn === undefined) return failure(`"${dateText}" is not a date written as ${plan.dateFormat}`);
  const text = fields.get('T') ?? fields.get('U') ?? '';
  const total = readSigned(text, plan);
  if (total === undefined) return failure(`"${text}" is not an amount`);
  const { currencyCode = null, currencySign } = parseAmount(text, plan.decimalSeparator) ?? {};

  const parts: { amount: string; category: string; memo: string }[] = [];
  const splits = record.splits.filter(({ amount }) => amount !== '');
  for (const split of splits.length > 1 ? splits : []) {
    const amount = readSigned(split.amount, plan);
    if (amount === undefined) return failure(`"${split.amount}" is not an amount (of a split)`);
    parts.push({ ...split, amount });
  }
  if (parts.length > 0) {
    const sum = addDecimals(parts.map(({ amount }) => amount));
    if (sum !== total) return failure(`its splits add up to ${sum}, and not to ${total}`);
  } else {
    const category = splits[0]?.category ?? fields.get('L') ?? '';
    parts.push({ amount: total, category, memo: splits[0]?.memo ?? '' });
  }

  const merchantName = tidyText(fields.get('P'), merchantCharactersMax);
  const rows = parts.flatMap(({ amount, category, memo }): StatementRow[] => {
    if (amount === '0' && parts.length > 1) return [];
    if (amount === '0') return [{ line, outcome: 'skipped', reason: 'its amount is zero' }];
    const description = tidyText(memo, descriptionCharactersMax) ?? describe(fields);
    const transaction: StatementTransaction = {
      direction: amount.startsWith('-') ? 'expense' : 'income',
      amountDecimal: amount.replace('-', ''),
      currencyCode,
      ...(currencySign !== undefined && { currencySign }),
      occurredOn,
      description: description === merchantName ? null : description,
      merchantName,
      categoryName: readQifCategory(category),
      accountName: null,
      statementId: null,
    };
    return [{ line, outcome: 'transaction', transaction }];
  });
  return rows;
}

/** With its sign, `"-12.5"`; unsigned means income. */
function readSigned(text: string, { decimalSeparator }: QifPlan): string | undefined {
  const parsed = parseAmount(text, decimalSeparator);
  if (parsed === undefined) return undefined;
  const isNegative = parsed.mark === 'minus' && parsed.amountDecimal !== '0';
  return isNegative ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
}

function describe(fields: QifRecord['fields']): string | null {
  const memo = tidyText(fields.get('M'), descriptionCharactersMax);
  const number = fields.get('N') ?? '';
  // Beside numbers of checks, `N` has words such as `ATM`, which say less than the payee.
  return memo ?? (/^\d+$/.test(number) ? `Check ${number}` : null);
}

/** `Food:Groceries/Class` is the category `Food:Groceries`; `[Savings]` is an account, and no category. */
export function readQifCategory(text: string): string | null {
  const name = tidyText(text.replace(/\/[^/]*$/, ''), 100);
  return name === null || name.startsWith('[') || /^-+\s*splits?\s*-+$/i.test(name) ? null : name;
}
