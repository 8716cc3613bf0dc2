import { type CreateMovementInput, currencyExponent } from '@centavo/sdk';
import { importKey, type RowIdentity, rowFingerprint } from '../../statements/import-key.js';
import { OccurrenceCounter } from '../../statements/occurrence-counter.js';
import type { StatementRow, StatementTransaction } from '../../statements/statement-row.js';
import type { AccountBook, TargetAccount } from './account-book.js';
import type { CategoryBook } from './category-book.js';

/** A row with everything that recording it takes; `key` is null in a dry run for an account that has no id yet. */
export interface PreparedRow {
  readonly line: number;
  readonly outcome: 'prepared';
  readonly key: string | null;
  readonly body: CreateMovementInput;
}

export type ReadyRow = PreparedRow | Exclude<StatementRow, { outcome: 'transaction' }>;

/** Where rows go and what they may make on the way. */
export interface RowTargets {
  readonly format: string;
  readonly accounts: AccountBook;
  readonly categories: CategoryBook;
  /** The account and cashbox of every row; null when each row names its account. */
  readonly single: { readonly account: TargetAccount; readonly cashboxId: string | undefined } | null;
}

/**
 * Resolves rows one by one, in the order of the file: account, currency, key, category. The order matters, because the
 * occurrence number in a key counts the rows before it, also those that will fail for another reason: a row that fails
 * today and is repaired tomorrow must not change the keys of the others.
 *
 * @throws whatever ends the whole import: no rights, no network
 */
export async function* prepareRows(rows: AsyncIterable<StatementRow>, targets: RowTargets): AsyncGenerator<ReadyRow> {
  const occurrences = new OccurrenceCounter();
  for await (const row of rows) {
    if (row.outcome !== 'transaction') {
      yield row;
      continue;
    }
    const prepared = await prepare(row.transaction, { targets, occurrences });
    yield 'reason' in prepared
      ? { line: row.line, outcome: 'failure', reason: prepared.reason }
      : { line: row.line, outcome: 'prepared', ...prepared };
  }
}

async function prepare(
  transaction: StatementTransaction,
  { targets, occurrences }: { targets: RowTargets; occurrences: OccurrenceCounter },
): Promise<Pick<PreparedRow, 'key' | 'body'> | { readonly reason: string }> {
  const account = await findAccount(transaction, targets);
  if ('reason' in account) return account;
  const target = account.found;
  const currencyReason = checkCurrency(transaction, target);
  if (currencyReason !== undefined) return { reason: currencyReason };
  const type = transaction.direction;
  const key = keyOf({ transaction, target, type, format: targets.format, occurrences });
  const { categoryName } = transaction;
  const category = categoryName === null ? undefined : await targets.categories.find(categoryName, type);
  if (category !== undefined && 'reason' in category) return category;
  const body: CreateMovementInput = {
    type,
    amountDecimal: transaction.amountDecimal,
    accountId: target.id ?? target.name,
    cashboxId: targets.single?.cashboxId,
    categoryId: category?.found ?? undefined,
    occurredOn: transaction.occurredOn,
    currencyCode: target.currencyCode ?? undefined,
    description: transaction.description ?? undefined,
    merchantName: transaction.merchantName ?? undefined,
  };
  return { key, body };
}

async function findAccount(transaction: StatementTransaction, targets: RowTargets) {
  if (targets.single !== null) return { found: targets.single.account };
  if (transaction.accountName === null) return { reason: 'it names no account' };
  return targets.accounts.find(transaction.accountName, transaction.currencyCode);
}

/** Decimals beyond those of the currency fail the row: rounding money is not ours to do (contract, section 11). */
function checkCurrency(transaction: StatementTransaction, account: TargetAccount): string | undefined {
  const { currencyCode } = account;
  if (currencyCode === null) return undefined;
  if (transaction.currencyCode !== null && transaction.currencyCode !== currencyCode) {
    return `it is in ${transaction.currencyCode}, and the account ${account.name} in ${currencyCode}`;
  }
  const decimals = transaction.amountDecimal.split('.')[1]?.length ?? 0;
  return decimals > currencyExponent(currencyCode)
    ? `"${transaction.amountDecimal}" has more decimals than ${currencyCode}`
    : undefined;
}

function keyOf(row: {
  transaction: StatementTransaction;
  target: TargetAccount;
  type: 'expense' | 'income';
  format: string;
  occurrences: OccurrenceCounter;
}): string | null {
  const { transaction, target } = row;
  if (target.id === null || target.currencyCode === null) return null;
  const identity: RowIdentity = {
    format: row.format,
    accountId: target.id,
    statementId: transaction.statementId,
    content: {
      occurredOn: transaction.occurredOn,
      type: row.type,
      amountDecimal: transaction.amountDecimal,
      currencyCode: target.currencyCode,
      description: transaction.description,
      merchantName: transaction.merchantName,
      categoryName: transaction.categoryName,
    },
  };
  return importKey(identity, row.occurrences.count(rowFingerprint(identity)));
}
