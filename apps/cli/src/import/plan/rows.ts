import { externalIdLengthMax, fitsCurrency, withoutFormatCharacters } from '@centavo/contracts/calls';
import type { FinancialClient } from '@centavo/sdk';
import {
  canSymbolMean,
  importKey,
  OccurrenceCounter,
  type OpenedStatement,
  type RowContentOfFile,
  type RowIdentity,
  repetitionFingerprint,
  type StatementRow,
  type StatementTransaction,
} from '@centavo/statement-reader';
import { chooseByName } from '../../commands/shared/choose-by-name.js';
import { requireCashboxId } from '../../commands/shared/resolve-id.js';
import { UsageError } from '../../errors.js';
import type { ImportFlags, StatementAccountChoice } from '../request.js';
import { type AccountResolver, currencyRemedy, type Resolution, type TargetAccount } from './accounts.js';
import type { CategoryResolver } from './categories.js';
import type { RecordedTransfers } from './recorded/recorded-transfers.js';
import { ReplacedRows } from './recorded/replaced-rows.js';
import type { MatchFields } from './recorded/voided-movements.js';

/** The accounts, categories and transfers that rows refer to. */
export interface TrackerRecords {
  readonly accounts: AccountResolver;
  readonly categories: CategoryResolver;
  readonly transfers: RecordedTransfers;
}

/** The accounts, cashbox and categories to which the rows of a statement go, and the transfers that are already recorded. */
export interface RowDestinations extends TrackerRecords {
  readonly format: string;
  /** The cashbox of every row; undefined without `--cashbox`. */
  readonly cashboxId: string | undefined;
  accountOf(transaction: StatementTransaction): Promise<Resolution<TargetAccount>>;
  /** Returns whether several rows of the file may have this id from the bank. */
  mayRepeat(statementId: string): boolean;
  readonly replaced: Pick<ReplacedRows, 'findReason'>;
}

interface DestinationRequest {
  readonly statement: OpenedStatement;
  readonly flags: ImportFlags;
  readonly accountChoice: StatementAccountChoice;
  readonly records: TrackerRecords;
}

/**
 * Resolves the accounts of the rows of a statement: `--account` for all rows, or the account that each row names.
 * @throws UnknownNameError (exit 5), UsageError (exit 2) if `--account` or `--cashbox` cannot be resolved
 */
export async function resolveDestinations(
  client: FinancialClient,
  request: DestinationRequest,
): Promise<RowDestinations> {
  const { flags, records } = request;
  const { format, mayRepeat = () => true } = request.statement;
  const replaced = new ReplacedRows(client, { format, transfers: records.transfers });
  const shared = { ...records, format, mayRepeat, replaced };
  if (flags.account === undefined) {
    return { ...shared, cashboxId: undefined, accountOf: (transaction) => resolveAccountOfRow(transaction, request) };
  }
  const account = await requireAccount(client, request);
  const cashboxId =
    flags.cashbox === undefined ? undefined : await requireCashboxId(client, flags.cashbox, account.id ?? undefined);
  return { ...shared, cashboxId, accountOf: async () => ({ found: account }) };
}

async function resolveAccountOfRow(
  { accountName, currencyCode }: StatementTransaction,
  { statement, accountChoice, records }: DestinationRequest,
): Promise<Resolution<TargetAccount>> {
  if (accountName === null) return { reason: 'it has no account' };
  const facts = statement.accounts?.find(({ name }) => name === accountName) ?? { currencyCode };
  return records.accounts.resolve(accountChoice.targetOf(accountName), facts);
}

/** Returns the account of `--account`. Runs before the first row is read, because without the account no row can be recorded. */
async function requireAccount(
  client: FinancialClient,
  { statement, flags, records }: DestinationRequest,
): Promise<TargetAccount> {
  const name = flags.account ?? '';
  const account = await records.accounts.resolve(name, statement.accounts?.[0]);
  if ('found' in account) return account.found;
  if (flags.createAccounts === true) {
    throw new UsageError(`Cannot import into "${name}": ${account.reason}.`);
  }
  return chooseByName({ noun: 'account', wanted: name, records: (await client.accounts.list()).data });
}

/** A row whose account and idempotency key are known. The key is null if the account has no id yet (see `TargetAccount`). */
export interface ResolvedRow {
  readonly line: number;
  /** The position among the rows of the file, from 0. Several rows may begin on one line. */
  readonly index: number;
  readonly outcome: 'resolved';
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
}

/** A row that is one side of a recorded transfer. */
export interface RecordedTransferRow {
  readonly line: number;
  readonly outcome: 'recorded in a transfer';
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
  readonly key: string | null;
  /** The account, day and amount of the leg (one side of a transfer) that was recorded for the row. */
  readonly matchFields: MatchFields;
}

/** A row with its account and key, or the reason why it is not recorded. */
export type RowResolution = ResolvedRow | RecordedTransferRow | Exclude<StatementRow, { outcome: 'transaction' }>;

/**
 * Resolves the account and key of each row, and checks its currency, in the order of the file. The order matters
 * because the occurrence number in a key counts all earlier equal rows, including rows that fail when they are sent. A
 * row that fails today and is corrected tomorrow must not change the keys of the other rows.
 *
 * @param known.mayRepeat returns whether a row may occur several times in the file; `firstKey` is the idempotency key of
 *   its first occurrence. If `mayRepeat` returns false, the occurrences of the row are not numbered
 * @throws an error that stops the whole import, such as a missing scope or a lost connection
 */
export async function* resolveRows(
  rows: AsyncIterable<StatementRow>,
  destinations: RowDestinations,
  known: { mayRepeat(firstKey: string): boolean },
): AsyncGenerator<RowResolution & { readonly index: number }> {
  const occurrences = new OccurrenceCounter();
  const repetitions = new OccurrenceCounter();
  const firstLines = new Map<string, number>();
  let index = -1;
  for await (const row of rows) {
    index += 1;
    if (row.outcome !== 'transaction') {
      yield { ...row, index };
      continue;
    }
    const { line, transaction } = row;
    const account = await resolveTarget(transaction, destinations);
    if ('reason' in account) {
      yield { line, index, outcome: 'failure', reason: account.reason };
      continue;
    }
    const target = account.found;
    const replaces = transaction.replacedId !== undefined;
    const reason = replaces ? await destinations.replaced.findReason({ transaction, target }) : undefined;
    if (reason !== undefined) {
      yield { line, index, outcome: 'failure', reason };
      continue;
    }
    const identity = identityOf(transaction, { target, format: destinations.format });
    const mayRepeat = transaction.statementId !== null && destinations.mayRepeat(transaction.statementId);
    if (identity !== null && mayRepeat) {
      const fingerprint = repetitionFingerprint(identity);
      if (repetitions.count(fingerprint) > 1) {
        yield { line, index, outcome: 'failure', reason: describeCopy(transaction, firstLines.get(fingerprint)) };
        continue;
      }
      if (firstLines.size < firstLinesMax) firstLines.set(fingerprint, line);
    }
    // Ids that occur once in the file are not counted: counting a million ids takes more memory than all other data.
    const isOnly = transaction.statementId !== null && !mayRepeat;
    const key = identity === null ? null : keyOf(identity, { ...known, isOnly, occurrences });
    const leg = destinations.transfers.findLeg({ transaction, target, key });
    if (leg === undefined) yield { line, index, outcome: 'resolved', transaction, target, key };
    else if (transaction.statementId === null || leg.amountDecimal === transaction.amountDecimal) {
      const matchFields = { ...leg, accountId: target.id ?? '' };
      yield { line, index, outcome: 'recorded in a transfer', transaction, target, key, matchFields };
    } else {
      yield {
        line,
        index,
        outcome: 'failure',
        reason: `it was recorded before, in a transfer with another amount (${leg.amountDecimal})`,
      };
    }
  }
}

/** The maximum number of rows whose line is stored for messages. Limits the memory for a file in which many rows share an id. */
const firstLinesMax = 10_000;

/** Returns the failure reason for a row that is identical to an earlier row of the statement. */
function describeCopy({ statementId }: StatementTransaction, firstLine: number | undefined): string {
  const first = firstLine === undefined ? 'an earlier row' : `line ${firstLine}`;
  return `it has the same id ("${statementId}"), day, amount and texts as ${first}. If it is another payment, record it with "centavo movements add"`;
}

/** Returns the idempotency key of a row. Equal rows have different keys, because a key depends on the number of earlier equal rows. */
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
  if (isOnly || !mayRepeat(first)) return first;
  const occurrence = occurrences.count(first);
  return occurrence === 1 ? first : importKey(identity, occurrence);
}

async function resolveTarget(
  transaction: StatementTransaction,
  destinations: RowDestinations,
): Promise<Resolution<TargetAccount>> {
  const account = await destinations.accountOf(transaction);
  if ('reason' in account) return account;
  const reason = checkCurrency(transaction, account.found);
  return reason === undefined ? account : { reason };
}

/**
 * Returns the reason why a row, or the fee of a row, cannot be recorded in the currency of its account; undefined if it can.
 * A row with too many decimal places fails, because an import must not round money.
 * @source docs/contract.md, section 11
 */
function checkCurrency(transaction: StatementTransaction, account: TargetAccount): string | undefined {
  const { currencyCode } = account;
  const { currencyCode: rowCurrency, currencySymbol: sign, isFee = false } = transaction;
  const describe = (other: string) =>
    `${isFee ? 'its fee' : 'it'} is in ${other}, but the account ${account.name} is in ${currencyCode}`;
  const manually = (other: string) => (isFee ? `record the fee manually in an account in ${other}` : undefined);
  if (rowCurrency !== null && rowCurrency !== currencyCode) {
    const remedy = currencyRemedy(rowCurrency, currencyCode) ?? manually(rowCurrency);
    return remedy === undefined ? describe(rowCurrency) : `${describe(rowCurrency)}: ${remedy}`;
  }
  if (sign !== undefined && !canSymbolMean(sign, currencyCode)) {
    return isFee ? `${describe(sign)}: ${manually(sign)}` : describe(sign);
  }
  return fitsCurrency(transaction.amountDecimal, currencyCode)
    ? undefined
    : `"${transaction.amountDecimal}" has more decimal places than ${currencyCode} allows`;
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
    content: { ...(transaction.identity ?? contentOf(transaction)), currencyCode: target.currencyCode },
  };
}

function contentOf(transaction: StatementTransaction): RowContentOfFile {
  const { direction, amountDecimal, occurredOn, description, merchantName, categoryName } = transaction;
  const signedAmount = direction === 'expense' ? `-${amountDecimal}` : amountDecimal;
  return { occurredOn, signedAmount, description, merchantName, categoryName };
}

/** Returns a trimmed text without the format and control characters that the API refuses; undefined if nothing is left. */
export function textToSend(text: string | null): string | undefined {
  return (
    withoutFormatCharacters(text ?? '')
      .replace(/(?![\n\t])\p{Cc}/gu, ' ')
      .trim() || undefined
  );
}

/**
 * Returns the bank's own id of a row; undefined if the row has no id, or if the id is too long or not unique in the file.
 * The server uses this id to find the movement of the row, even if another API key or user recorded the row under another
 * idempotency key.
 * @source docs/additions.md, section 2.2
 */
export function externalIdOf(
  { externalId, statementId }: StatementTransaction,
  { mayRepeat }: Pick<RowDestinations, 'mayRepeat'>,
): string | undefined {
  const uniqueId = statementId === null || mayRepeat(statementId) ? null : statementId;
  const id = textToSend(externalId ?? uniqueId);
  return id === undefined || [...id].length > externalIdLengthMax ? undefined : id;
}
