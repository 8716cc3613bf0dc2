import { currencyExponent } from '@centavo/sdk';
import { canSignMean } from '../../statements/csv/currency-signs.js';
import { importKey, type RowIdentity, repetitionFingerprint } from '../../statements/import-key.js';
import { OccurrenceCounter } from '../../statements/occurrence-counter.js';
import type { RowContentOfFile, StatementRow, StatementTransaction } from '../../statements/statement-row.js';
import type { Found, TargetAccount } from './account-book.js';
import type { RowTargets } from './row-targets.js';

/** A row whose account and key are known; `key` is null in a dry run for an account that has no id yet. */
export interface IdentifiedRow {
  readonly line: number;
  /** Its place among the rows of the file, from 0; several rows may begin in one line. */
  readonly index: number;
  readonly outcome: 'identified';
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
}

/** A row that is half of a transfer recorded before. */
export interface TransferredRow {
  readonly line: number;
  readonly outcome: 'transferred';
  readonly key: string | null;
}

export type FoundRow = IdentifiedRow | TransferredRow | Exclude<StatementRow, { outcome: 'transaction' }>;

/**
 * Finds account, currency and key of rows one by one, in the order of the file. The order matters, because the
 * occurrence number in a key counts the rows before it, also those that will fail for another reason: a row that fails
 * today and is repaired tomorrow must not change the keys of the others.
 *
 * @param known.mayRepeat whether several rows may have this first key; where that is known not to be, it is the key
 * @throws whatever ends the whole import: no rights, no network
 */
export async function* identifyRows(
  rows: AsyncIterable<StatementRow>,
  targets: RowTargets,
  known: { mayRepeat(firstKey: string): boolean },
): AsyncGenerator<FoundRow & { readonly index: number }> {
  const counters = { occurrences: new OccurrenceCounter(), repetitions: new OccurrenceCounter() };
  let index = -1;
  for await (const row of rows) {
    index += 1;
    if (row.outcome !== 'transaction') {
      yield { ...row, index };
      continue;
    }
    const { line, transaction } = row;
    const account = await findTarget(transaction, targets);
    if ('reason' in account) {
      yield { line, index, outcome: 'failure', reason: account.reason };
      continue;
    }
    const target = account.found;
    const identity = identityOf(transaction, { target, format: targets.format });
    const mayRepeat = transaction.statementId !== null && targets.mayRepeat(transaction.statementId);
    if (identity !== null && mayRepeat && counters.repetitions.count(repetitionFingerprint(identity)) > 1) {
      yield { line, index, outcome: 'skipped', reason: 'the file tells it twice, with the same id' };
      continue;
    }
    // An id that the file has once needs no counting: a million of them would take more memory than all else.
    const isOnly = transaction.statementId !== null && !mayRepeat;
    const key = identity === null ? null : keyOf(identity, { ...known, isOnly, occurrences: counters.occurrences });
    const recorded = targets.legs.findAmount({ transaction, target, key });
    if (recorded === undefined) yield { line, index, outcome: 'identified', transaction, target, key };
    else if (transaction.statementId === null || recorded === transaction.amountDecimal) {
      yield { line, index, outcome: 'transferred', key };
    } else yield { line, index, outcome: 'failure', reason: `it was recorded before, in a transfer of ${recorded}` };
  }
}

function keyOf(
  identity: RowIdentity,
  {
    isOnly,
    mayRepeat,
    occurrences,
  }: {
    isOnly: boolean;
    mayRepeat(firstKey: string): boolean;
    occurrences: OccurrenceCounter;
  },
): string {
  const first = importKey(identity, 1);
  const occurrence = isOnly || !mayRepeat(first) ? 1 : occurrences.count(first);
  return occurrence === 1 ? first : importKey(identity, occurrence);
}

async function findTarget(transaction: StatementTransaction, targets: RowTargets): Promise<Found<TargetAccount>> {
  const account = await targets.accountOf(transaction);
  if ('reason' in account) return account;
  const reason = checkCurrency(transaction, account.found);
  return reason === undefined ? account : { reason };
}

/** Decimals beyond those of the currency fail the row: rounding money is not ours to do (contract, section 11). */
function checkCurrency(transaction: StatementTransaction, account: TargetAccount): string | undefined {
  const { currencyCode } = account;
  const { currencyCode: told, currencySign: sign } = transaction;
  if (told !== null && told !== currencyCode) {
    return `it is in ${told}, and the account ${account.name} in ${currencyCode}`;
  }
  if (sign !== undefined && !canSignMean(sign, currencyCode)) {
    return `it is in ${sign}, and the account ${account.name} in ${currencyCode}`;
  }
  const decimals = transaction.amountDecimal.split('.')[1]?.length ?? 0;
  return decimals > currencyExponent(currencyCode)
    ? `"${transaction.amountDecimal}" has more decimals than ${currencyCode}`
    : undefined;
}

function identityOf(
  transaction: StatementTransaction,
  { target, format }: { target: TargetAccount; format: string },
): RowIdentity | null {
  if (target.id === null) return null;
  return {
    format,
    accountId: target.id,
    statementId: transaction.statementId,
    content: { ...(transaction.identity ?? contentAsRead(transaction)), currencyCode: target.currencyCode },
  };
}

function contentAsRead(transaction: StatementTransaction): RowContentOfFile {
  const { direction, amountDecimal, occurredOn, description, merchantName, categoryName } = transaction;
  const signedAmount = direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
  return { occurredOn, signedAmount, description, merchantName, categoryName };
}
