import { isBalanceText } from '../csv/words/balance-names.js';
import { findBalanceReason, findPendingReason } from '../not-booked.js';
import type { StatementDirection, StatementRow, StatementTransaction } from '../statement.js';
import { descriptionCharactersMax, merchantCharactersMax, tidyText } from '../texts.js';
import { addDecimals } from '../totals.js';
import { type DecimalSeparator, parseAmount } from '../values/amounts.js';
import type { DateReader } from '../values/dates.js';
import { plainQifDate } from './dates.js';
import type { QifRecord } from './records.js';

/** The formats of the dates and amounts of a file (detected, or set by options), and further options for reading its transactions. */
export interface QifPlan {
  readonly readDate: DateReader;
  readonly dateFormat: string;
  readonly decimalSeparator: DecimalSeparator;
  /** The direction of amounts with a minus: usually expense, but income on some card statements. */
  readonly minusMeans: StatementDirection;
  /**
   * Words such as `pending` that usually make a row fail. In this file they do not, because the user declared that rows with these words
   * are final.
   */
  readonly finalStatuses: readonly string[];
  /** The account of every row, as the user named it; undefined if the user named none. */
  readonly account: string | undefined;
}

/**
 * Returns the rows of one transaction. A transaction may have splits: parts with their own category and amount. Each split that is not
 * zero becomes a row, because a movement has only one category. A transaction without splits is a single row. The splits of one
 * transaction may have different signs: a salary is positive, and its taxes are negative. If the splits cannot be read, or do not add up
 * to the total, returns one row with the total and the category of the transaction, and a `note` with the reason.
 */
export function readQifTransaction(
  record: QifRecord,
  plan: QifPlan,
): { readonly rows: readonly StatementRow[]; readonly note?: string } {
  const { line, fields } = record;
  const single = (row: StatementRow) => ({ rows: [row] });
  const failure = (reason: string) => single({ line, outcome: 'failure', reason });
  if (record.isInvestment) return single({ line, outcome: 'skipped', reason: 'it is a securities transaction' });
  // Quicken writes the opening balance of an account as a transfer from the account to itself. The payee, such as `Opening Balance`, is
  // in the user's language.
  if (isBalanceText(fields.get('P') || (fields.get('M') ?? '')) && findAccountInCategory(record) !== undefined) {
    return single({ line, outcome: 'skipped', reason: 'it is the opening balance' });
  }
  // Quicken marks a voided transaction in its payee, and may keep the amount. Some users write the mark into the memo.
  if ([fields.get('P'), fields.get('M')].some((text) => text?.startsWith('**VOID**')))
    return single({ line, outcome: 'skipped', reason: 'it is voided' });
  if (record.repeatedLetter !== undefined) {
    return failure(`it has two lines with ${record.repeatedLetter}; a ^ may be missing between two transactions`);
  }
  const dateText = fields.get('D') ?? '';
  const occurredOn = plan.readDate(plainQifDate(dateText, plan.dateFormat));
  if (occurredOn === undefined) return failure(`"${dateText}" is not a date written as ${plan.dateFormat}`);
  const text = fields.get('T') ?? fields.get('U') ?? '';
  const total = readSigned(text, plan);
  if (total === undefined) return failure(`"${text}" is not an amount`);
  // Quicken writes the amount twice: in the field `T`, and in the field `U`, which allows larger amounts.
  const second = fields.get('U') ?? text;
  if (readSigned(second, plan) !== total) return failure(`its amounts differ: "${text}" in T and "${second}" in U`);
  const reason =
    findQifBalanceReason(record, plan) ?? findPendingReason([fields.get('P'), fields.get('M')], plan.finalStatuses);
  if (reason !== undefined && total !== '0') return failure(reason);
  const { currencyCode = null, currencySymbol } = parseAmount(text, plan.decimalSeparator) ?? {};

  const splits = readSplits(record, total, plan);
  const note = 'note' in splits ? `recorded as one row, because ${splits.note}` : undefined;
  const parts = 'note' in splits ? [{ amount: total, category: fields.get('L') ?? '', memo: '' }] : splits.parts;

  const merchantName = tidyText(fields.get('P'), merchantCharactersMax);
  const rows = parts.flatMap(({ amount, category, memo }): StatementRow[] => {
    if (amount === '0' && parts.length > 1) return [];
    if (amount === '0') return [{ line, outcome: 'skipped', reason: 'its amount is zero' }];
    const description = tidyText(memo, descriptionCharactersMax) ?? describe(fields);
    const transaction: StatementTransaction = {
      direction: amount.startsWith('-') === (plan.minusMeans === 'expense') ? 'expense' : 'income',
      amountDecimal: amount.replace('-', ''),
      currencyCode,
      ...(currencySymbol !== undefined && { currencySymbol }),
      occurredOn,
      description: description === merchantName ? null : description,
      merchantName,
      categoryName: readQifCategory(category),
      accountName: null,
      statementId: null,
    };
    return [{ line, outcome: 'transaction', transaction }];
  });
  return note === undefined ? { rows } : { rows, note };
}

/**
 * Returns the reason why a record may be a balance; undefined for other records. A record may be a balance in three cases: it is a
 * transfer from the account to itself; its category names a balance; or it has neither a category nor splits, and its payee (or its memo,
 * if it has no payee) names a balance.
 */
export function findQifBalanceReason(record: QifRecord, plan: Pick<QifPlan, 'account'>): string | undefined {
  const { fields, splits } = record;
  const category = fields.get('L') ?? '';
  const other = findAccountInCategory(record);
  if (other !== undefined && isSameName(other, record.account?.name ?? plan.account)) {
    return `it is a transfer from "${other}" to itself, and may be its opening balance: record it manually if it is a payment`;
  }
  // A single word, such as `Balance`, may be an ordinary category. Several words, such as `Opening Balances`, may name a balance.
  const balance = category.split(':').find((name) => /\s/.test(name.trim()) && isBalanceText(name.replace(/s$/i, '')));
  if (balance !== undefined) return findBalanceReason(balance.replace(/s$/i, ''));
  if (category !== '' || splits.length > 0) return undefined;
  return findBalanceReason(fields.get('P') ?? fields.get('M') ?? '');
}

/** Returns the account that the category of a transfer names: `Savings` for `[Savings]/Class`; undefined for other records. */
function findAccountInCategory({ fields }: Pick<QifRecord, 'fields'>): string | undefined {
  return /^\[(.*)\]/.exec(fields.get('L') ?? '')?.[1]?.trim();
}

function isSameName(one: string, other: string | undefined): boolean {
  return one.toLowerCase() === other?.trim().toLowerCase();
}

/** One row of a transaction, with its signed amount. */
interface QifPart {
  readonly amount: string;
  readonly category: string;
  readonly memo: string;
}

/**
 * If two or more splits have an amount and add up to the total, returns these splits. If they do not add up to the total, or cannot be
 * read, returns a note with the reason. If fewer than two splits have an amount, returns one part with the total.
 */
function readSplits(
  { fields, splits: all }: QifRecord,
  total: string,
  plan: QifPlan,
): { readonly parts: readonly QifPart[] } | { readonly note: string } {
  const splits = all.filter(({ amount }) => amount !== '');
  if (splits.length < 2) {
    const category = splits[0]?.category ?? fields.get('L') ?? '';
    return { parts: [{ amount: total, category, memo: splits[0]?.memo ?? '' }] };
  }
  const parts: QifPart[] = [];
  for (const split of splits) {
    const amount = readSigned(split.amount, plan);
    if (amount === undefined) return { note: `its split amount "${split.amount}" is not an amount` };
    parts.push({ ...split, amount });
  }
  const sum = addDecimals(parts.map(({ amount }) => amount));
  return sum === total ? { parts } : { note: `its splits add up to ${sum}, and not to ${total}` };
}

/** Parses an amount. Returns it as a plain decimal, with a minus if it is negative: `"-12.5"`, `"12.5"`. */
function readSigned(text: string, { decimalSeparator }: QifPlan): string | undefined {
  const parsed = parseAmount(text, decimalSeparator);
  if (parsed === undefined) return undefined;
  const isNegative = parsed.sign === 'minus' && parsed.amountDecimal !== '0';
  return isNegative ? `-${parsed.amountDecimal}` : parsed.amountDecimal;
}

function describe(fields: QifRecord['fields']): string | null {
  const memo = tidyText(fields.get('M'), descriptionCharactersMax);
  const number = fields.get('N') ?? '';
  // The field `N` may contain a word such as `ATM` instead of a check number. The word is ignored, because the payee says more.
  return memo ?? (/^\d+$/.test(number) ? `Check ${number}` : null);
}

/**
 * Returns the category without its class: `Food:Groceries` for `Food:Groceries/Class`. Returns null for `--Split--`, and for an account in
 * brackets, such as `[Savings]`.
 */
export function readQifCategory(text: string): string | null {
  const name = tidyText(text.replace(/\/[^/]*$/, ''), 100);
  return name === null || name.startsWith('[') || /^-+\s*splits?\s*-+$/i.test(name) ? null : name;
}
