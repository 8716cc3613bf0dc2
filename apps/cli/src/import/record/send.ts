import { type FinancialClient, isNotFoundError } from '@centavo/sdk';
import type { OpenedStatement } from '@centavo/statement-reader';
import type { Printer } from '../../ui/printer.js';
import { isKeyReusedError, isKeyUsed } from '../plan/recorded.js';
import type { ExportedMovement, MovementRequest, TransferRequest } from './requests.js';

/**
 * The outcome of a row, or of both rows of a pair. `kept`: it was recorded before with other details. `split`: at
 * least one row of the pair is a movement, so both have to be movements. `recorded elsewhere`: it is recorded under
 * another key, and was not sent.
 */
export type SendOutcome = 'created' | 'replayed' | 'kept' | 'split' | 'recorded elsewhere';

/** Sends rows, each under its own idempotency key. */
export class RowSender {
  readonly #client: FinancialClient;
  readonly #statement: OpenedStatement;
  readonly #printer: Printer;
  #identitySaved: Promise<void> | undefined;

  constructor(client: FinancialClient, { statement, printer }: { statement: OpenedStatement; printer: Printer }) {
    this.#client = client;
    this.#statement = statement;
    this.#printer = printer;
  }

  /**
   * Sends a row. A row of an export of Centavo is recorded already if its movement is in the account that the row
   * goes to; in another account it is a new movement (contract, section 11). Each such movement is read by its id,
   * which takes a request but no memory. A credential that may not read movements cannot know, so the import stops.
   *
   * @throws every error of the client
   */
  async send(row: MovementRequest | TransferRequest): Promise<SendOutcome> {
    this.#identitySaved ??= this.#saveIdentity();
    await this.#identitySaved;
    for (const exported of row.exportedFrom) {
      if (await this.#isInAccount(exported)) return row.outcome === 'movement' ? 'replayed' : 'split';
    }
    if (await this.#isRecordedElsewhere(row)) return 'recorded elsewhere';
    return row.outcome === 'movement' ? this.#sendMovement(row) : this.#sendTransfer(row);
  }

  /**
   * Returns the outcome of a row in a dry run. Sends at most one request, which changes nothing.
   * @throws every error of the client
   */
  async plan(row: MovementRequest | TransferRequest): Promise<'planned' | 'recorded elsewhere'> {
    return (await this.#isRecordedElsewhere(row)) ? 'recorded elsewhere' : 'planned';
  }

  /** A row that equals a movement is a replay if its own key was used. */
  async #isRecordedElsewhere(row: MovementRequest | TransferRequest): Promise<boolean> {
    if (row.outcome !== 'movement' || !row.isRecorded) return false;
    return !(await isKeyUsed(this.#client, requireKey(row.key)));
  }

  /**
   * Saves the columns that the keys of the rows are made from, so that a later import with other columns makes the
   * same keys. This happens before the first row is sent, and not earlier: an import that records nothing must not
   * decide it. The rows are recorded even if it fails.
   */
  async #saveIdentity(): Promise<void> {
    try {
      await this.#statement.keepIdentity?.();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#printer.warn(`Could not save the column mapping of this import (${reason}).`);
      this.#printer.warn('A later import of this file with other columns would record its rows a second time.');
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

  /**
   * The API refuses a key of the content as reused if the row was recorded before with details that are not part of
   * its key: another cashbox, or a category that the tracker did not have then. That movement stays as it is. An id
   * of the bank may since stand for another transaction, so there the refusal is an error.
   */
  async #sendMovement(row: MovementRequest): Promise<SendOutcome> {
    const idempotencyKey = requireKey(row.key);
    try {
      const { replayed } = await this.#client.movements.create(row.body, { idempotencyKey }).withResponse();
      return replayed ? 'replayed' : 'created';
    } catch (error) {
      if (row.isKeyOfContent && isKeyReusedError(error)) return 'kept';
      throw error;
    }
  }

  /**
   * Splits a pair if one of its rows is a movement: it was imported without `--pair-transfers`, or before the other
   * row had arrived. Movements are never deleted, so a transfer would count the money twice. Between this check and
   * the request only another import of the same rows could interfere. A recorded transfer is found again by its own
   * key.
   */
  async #sendTransfer(row: TransferRequest): Promise<SendOutcome> {
    const idempotencyKey = requireKey(row.key);
    for (const key of row.rowKeys) {
      if (await isKeyUsed(this.#client, requireKey(key))) return 'split';
    }
    const { replayed } = await this.#client.transfers.create(row.body, { idempotencyKey }).withResponse();
    return replayed ? 'replayed' : 'created';
  }
}

function requireKey(key: string | null): string {
  if (key === null) throw new Error('A row without an idempotency key cannot be sent.');
  return key;
}
