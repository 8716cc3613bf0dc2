import { type FinancialClient, isPermissionError, isValidationError, type Movement } from '@centavo/sdk';
import { importKey, type StatementTransaction } from '@centavo/statement-reader';
import type { TargetAccount } from '../accounts.js';
import type { RecordedTransfers } from './recorded-transfers.js';
import { isKeyUsed } from './used-keys.js';
import { isVoided, listWithVoided } from './voided-movements.js';

/** A row, and the account into which it is imported. */
interface RowOfAccount {
  readonly transaction: StatementTransaction;
  readonly target: TargetAccount;
}

/**
 * Finds rows that must not be recorded because they replace a transaction that an earlier import recorded. If such a row were recorded too,
 * both would count.
 */
export class ReplacedRows {
  readonly #client: FinancialClient;
  readonly #format: string;
  readonly #transfers: RecordedTransfers;
  /** The reasons by the account and id of the replaced transaction. */
  readonly #reasons = new Map<string, Promise<string | undefined>>();

  constructor(client: FinancialClient, { format, transfers }: { format: string; transfers: RecordedTransfers }) {
    this.#client = client;
    this.#format = format;
    this.#transfers = transfers;
  }

  /**
   * Returns the reason why a row fails. Returns undefined if the row replaces no transaction, or if the replaced transaction was voided or
   * never recorded. Sends at most two requests for each replaced transaction.
   * @throws every error of the client, except if the credential may not list movements, or the server does not store `externalId`
   */
  findReason({ transaction, target }: RowOfAccount): Promise<string | undefined> {
    const { replacedId } = transaction;
    if (replacedId === undefined || target.id === null) return Promise.resolve(undefined);
    const name = JSON.stringify([target.id, replacedId]);
    const known = this.#reasons.get(name) ?? this.#find({ transaction, target }, { accountId: target.id, replacedId });
    this.#reasons.set(name, known);
    return known;
  }

  async #find(
    row: RowOfAccount,
    { accountId, replacedId }: { accountId: string; replacedId: string },
  ): Promise<string | undefined> {
    const text = `it replaces the transaction "${replacedId}"`;
    const movements = await this.#list(accountId, replacedId);
    const live = movements.find((movement) => !isVoided(movement));
    if (live !== undefined) {
      return `${text}, which is recorded as movement ${live.id}. Correct that movement yourself, or void it and import the file again`;
    }
    if (movements.length > 0) return undefined;
    const content = { occurredOn: '', signedAmount: '', description: null, merchantName: null, categoryName: null };
    const identity = {
      format: this.#format,
      accountId,
      statementId: replacedId,
      content: { ...content, currencyCode: '' },
    };
    const key = importKey(identity, 1);
    const leg = this.#transfers.findLeg({ ...row, key });
    if (leg === undefined && !(await isKeyUsed(this.#client, key))) return undefined;
    return `${text}, which an earlier import recorded. Correct that ${leg === undefined ? 'movement' : 'transfer'} yourself`;
  }

  async #list(accountId: string, externalId: string): Promise<readonly Movement[]> {
    try {
      return (await listWithVoided(this.#client, { accountId, externalId })).data;
    } catch (error) {
      // A server of the first version does not store `externalId`, so it rejects the filter `externalId`.
      if (isPermissionError(error) || isValidationError(error)) return [];
      throw error;
    }
  }
}
