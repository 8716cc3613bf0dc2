import { type FinancialClient, isNotFoundError } from '@centavo/sdk';
import type { OpenedStatement } from '@centavo/statement-reader';
import type { Printer } from '../../ui/printer.js';
import type { RecordedIds } from '../plan/recorded/recorded-ids.js';
import { isKeyReusedError, isKeyUsed } from '../plan/recorded/used-keys.js';
import { keyAfterVoid, keyOfOtherId, type VoidedMovements } from '../plan/recorded/voided-movements.js';
import { type Created, MovementCreator } from './create-movements.js';
import { findEqualRecord, settleReusedId, settleTakenId } from './equal-record.js';
import { IdConflicts } from './id-conflicts.js';
import { type ExportedMovement, type MovementRequest, matchFieldsOf, type TransferRequest } from './requests.js';

/**
 * The outcome of a row, or of both rows of a pair (the two sides of a transfer). `recorded with other details`: the row was recorded before
 * with other details. `split`: at least one row of the pair is recorded as a movement, so the pair cannot be recorded as a transfer.
 * `recorded under another key`: the row is recorded under another idempotency key, and was not sent. `voided`: the record of the row was
 * voided, and the row is not recorded again. `failure`: the reason why the row is not recorded.
 */
export type SendOutcome =
  | 'created'
  | 'replayed'
  | 'recorded with other details'
  | 'split'
  | 'recorded under another key'
  | 'voided'
  | { readonly failure: string };

/** Sends rows, each under its own idempotency key. */
export class RowSender {
  readonly #client: FinancialClient;
  readonly #statement: OpenedStatement;
  readonly #printer: Printer;
  readonly #creator: MovementCreator;
  readonly #voided: VoidedMovements;
  readonly #recordsVoided: boolean;
  readonly #ids: RecordedIds;
  readonly #conflicts: IdConflicts;
  #identitySaved: Promise<void> | undefined;

  /**
   * @param options.recordsVoided whether to record a row again, under a new key, if the record under its own key was
   *   voided, or may belong to another transaction
   * @param options.isDryRun if true, only `plan` may be called
   */
  constructor(
    client: FinancialClient,
    options: {
      statement: OpenedStatement;
      printer: Printer;
      voided: VoidedMovements;
      ids: RecordedIds;
      recordsVoided: boolean;
      isDryRun: boolean;
    },
  ) {
    this.#client = client;
    this.#statement = options.statement;
    this.#printer = options.printer;
    this.#voided = options.voided;
    this.#recordsVoided = options.recordsVoided;
    this.#ids = options.ids;
    this.#conflicts = new IdConflicts(client, options.ids);
    this.#creator = new MovementCreator(client, { isDryRun: options.isDryRun });
  }

  /** The maximum number of rows to send concurrently. */
  get concurrency(): number {
    return this.#creator.concurrency;
  }

  /**
   * Sends a row. A row that was exported from Centavo is already recorded if its original movement is in the account into
   * which the row is imported. If the original movement is in another account, the row is a new movement (contract,
   * section 11). The original movement is read by its id. This takes one request for each exported row, but a list of all
   * movements would take too much memory. If the credential may not read movements, this check is impossible, so the
   * import stops.
   *
   * @throws every error of the client
   */
  async send(row: MovementRequest | TransferRequest): Promise<SendOutcome> {
    this.#identitySaved ??= this.#saveIdentity();
    await this.#identitySaved;
    for (const exported of row.exportedFrom) {
      if (await this.#isInAccount(exported)) return row.outcome === 'movement' ? 'replayed' : 'split';
    }
    if (await this.#isRecordedUnderAnotherKey(row)) return 'recorded under another key';
    return row.outcome === 'movement' ? this.#sendMovement(row) : this.#sendTransfer(row);
  }

  /**
   * Whether a dry run left the `externalId` of some rows unchecked. If so, the import may fail for rows that the dry run
   * did not report.
   */
  get isCut(): boolean {
    return this.#conflicts.isCut;
  }

  /**
   * Returns the outcome of a row in a dry run. A row that is already recorded under its own key is also `planned`. If
   * `IdConflicts` finds that the server may refuse the row, `plan` sends a dry run of the row, which records nothing.
   * @throws every error of the client
   */
  async plan(
    row: MovementRequest | TransferRequest,
  ): Promise<'planned' | 'recorded under another key' | { readonly failure: string }> {
    if (await this.#isRecordedUnderAnotherKey(row)) return 'recorded under another key';
    if (row.outcome !== 'movement' || !(await this.#conflicts.mayRefuse(row))) return 'planned';
    const outcome = await this.#sendMovement(row);
    return typeof outcome === 'object' ? outcome : 'planned';
  }

  /** Returns whether a row matches a recorded movement, and the row's own idempotency key was never used. */
  async #isRecordedUnderAnotherKey(row: MovementRequest | TransferRequest): Promise<boolean> {
    if (row.outcome !== 'movement' || !row.isRecorded) return false;
    return !(await isKeyUsed(this.#client, requireKey(row.key)));
  }

  /**
   * Saves the columns from which the keys of the rows are calculated, so that a later import of a file with the same
   * headers uses the same keys, even if the user selects other columns. This happens just before the first row is sent,
   * because an import that records nothing must not set these columns. If saving fails, the rows are still recorded.
   */
  async #saveIdentity(): Promise<void> {
    try {
      await this.#statement.saveIdentity?.();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#printer.warn(`Could not save which columns identify the rows of this file (${reason}).`);
      this.#printer.warn('A later import of this file with other columns would record its rows again.');
    }
  }

  async #isInAccount({ id, accountId }: ExportedMovement): Promise<boolean> {
    try {
      const movement = await this.#client.movements.get(id);
      return movement.accountId.toLowerCase() === accountId.toLowerCase();
    } catch (error) {
      if (isNotFoundError(error)) return false;
      throw error;
    }
  }

  async #sendMovement(row: MovementRequest): Promise<SendOutcome> {
    // If the voided movement with the row's `externalId` has another key than the row, the server would record the row again.
    if (this.#isIdVoided(row) && !this.#recordsVoided) return 'voided';
    return this.#sendUnderKeys(requireKey(row.key), (key) => this.#sendMovementUnder(key, row));
  }

  /** Returns whether the account has movements with the row's `externalId`, and all of them are voided. */
  #isIdVoided({ body: { accountId, externalId } }: MovementRequest): boolean {
    return typeof externalId === 'string' && this.#ids.isVoided(accountId, externalId);
  }

  /**
   * Sends a row under its key. If the record under this key was voided, and the user wants to record the row again, tries
   * further keys (`keyAfterVoid`) until one is unused or has a record that is not voided.
   */
  async #sendUnderKeys(first: string, send: (key: string) => Promise<SendOutcome>): Promise<SendOutcome> {
    for (let key = first; ; key = keyAfterVoid(key)) {
      const outcome = await send(key);
      if (outcome !== 'voided' || !this.#recordsVoided) return outcome;
    }
  }

  #outcomeOf({ replayed, id }: Created): SendOutcome {
    if (!replayed) return 'created';
    return this.#voided.has(id) ? 'voided' : 'replayed';
  }

  /**
   * Sends a row as a movement. If the row's key was used with other details, the API rejects the key as reused, and the
   * recorded movement is not changed. There are two cases:
   *
   * - The key depends on the content of the row. Such a key does not include all details: an earlier import may have
   *   recorded the same row with another cashbox or category. `#settleReusedKey` describes the possible outcomes.
   * - The key depends on the row's `externalId` (the bank's id). If the movement with this id has other details, the row
   *   fails, because the bank may have used the id again for another transaction.
   */
  async #sendMovementUnder(idempotencyKey: string, row: MovementRequest): Promise<SendOutcome> {
    try {
      return this.#outcomeOf(await this.#creator.create(row.body, idempotencyKey));
    } catch (error) {
      const settled = await settleTakenId(this.#client, { body: row.body, refusal: error });
      if (settled !== undefined) return settled;
      if (!isKeyReusedError(error)) throw error;
      const outcome = row.isKeyOfContent
        ? await this.#settleReusedKey(idempotencyKey, row)
        : 'recorded with other details';
      if (outcome !== 'recorded with other details') return outcome;
      if (this.#isIdVoided(row) || matchFieldsOf(row).every((fields) => this.#voided.areAllVoided(fields)))
        return 'voided';
      return row.isKeyOfContent ? 'recorded with other details' : await settleReusedId(this.#client, row.body);
    }
  }

  /**
   * Returns the outcome of a row whose key was used with other details. `findEqualRecord` returns this outcome, or finds that the record
   * under the key may belong to another transaction than the row. In the second case:
   *
   * - If the row is certainly another transaction and has an `externalId`, it is recorded under a new key (`keyOfOtherId`).
   * - If the row is certainly another transaction and has no `externalId`, it fails.
   * - If it is uncertain whether the row is another transaction, and the row has an `externalId`, the row fails. With `--record-again`, it
   *   is instead recorded under a new key (`keyOfOtherId`).
   * - If it is uncertain whether the row is another transaction, and the row has no `externalId`, the row is `recorded with other details`.
   */
  async #settleReusedKey(key: string, row: MovementRequest): Promise<SendOutcome> {
    const record = await findEqualRecord(this.#client, { body: row.body, ids: this.#ids });
    if (typeof record === 'string') return record;
    const { externalId } = row.body;
    if (typeof externalId === 'string' && (record.isCertain || this.#recordsVoided)) {
      return this.#sendMovementUnder(keyOfOtherId(key, externalId), row);
    }
    const { movement } = record;
    const other = movement === undefined ? '' : ` with the id "${movement.externalId}" (movement ${movement.id})`;
    if (typeof externalId === 'string') {
      const failure = `its id "${externalId}" is not recorded, but an equal row${other} is recorded. To record this row as another transaction, add --record-again`;
      return { failure };
    }
    if (!record.isCertain) return 'recorded with other details';
    const failure = `it has no id, and an equal row${other} is recorded: record this row with "centavo movements add"`;
    return { failure };
  }

  /**
   * Sends a pair as a transfer, or returns `split` if one of its rows is recorded as a movement. Such a row was
   * imported without `--pair-transfers`, or before the file contained the other row. If the transfer were recorded
   * too, the movement of this row would remain, because movements are never deleted, and the money would count twice.
   * Between this check and the request, only a concurrent import could record one of the rows. `withImportLock` describes
   * how concurrent imports are prevented. A transfer that is already recorded is replayed under its own key.
   */
  async #sendTransfer(row: TransferRequest): Promise<SendOutcome> {
    const isKnown = ({ accountId, externalId }: (typeof row.rowIds)[number]) =>
      this.#ids.isRecorded(accountId, externalId) ||
      (this.#ids.isVoided(accountId, externalId) && !this.#recordsVoided);
    if (row.rowIds.some(isKnown)) return 'split';
    for (const key of row.rowKeys) {
      if (await isKeyUsed(this.#client, requireKey(key))) return 'split';
    }
    return this.#sendUnderKeys(requireKey(row.key), async (idempotencyKey) => {
      const { replayed, data } = await this.#client.transfers.create(row.body, { idempotencyKey }).withResponse();
      return this.#outcomeOf({ replayed, id: data.groupId });
    });
  }
}

function requireKey(key: string | null): string {
  if (key === null) throw new Error('A row without an idempotency key cannot be sent.');
  return key;
}
