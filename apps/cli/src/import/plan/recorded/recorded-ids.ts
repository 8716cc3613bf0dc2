import type { Movement } from '@centavo/sdk';
import { isVoided, type MatchFields, matchKey } from './voided-movements.js';

/** The details of a movement that are compared with a row. */
export type MovementDetails = Pick<
  Movement,
  'type' | 'amountDecimal' | 'occurredOn' | 'description' | 'merchantName' | 'categoryId' | 'cashboxId'
>;

/**
 * Stores which recorded movements have an `externalId` (the bank's id of a transaction), which of these ids also occur in
 * the file, and how many rows of the file have no such id.
 */
export class RecordedIds {
  readonly #live = new Map<string, MovementDetails>();
  readonly #voided = new Set<string>();
  readonly #inFile = new Set<string>();
  readonly #matchKeysWithIds = new Set<string>();
  /** The number of rows without an id, by account, day and amount. */
  readonly #rowsWithoutId = new Map<string, number>();

  addMovement(movement: Movement): void {
    const { accountId, externalId } = movement;
    if (typeof externalId !== 'string') return;
    this.#matchKeysWithIds.add(matchKey(movement));
    const id = idOf(accountId, externalId);
    if (isVoided(movement)) this.#voided.add(id);
    else {
      const { type, amountDecimal, occurredOn, description, merchantName, categoryId, cashboxId } = movement;
      this.#live.set(id, { type, amountDecimal, occurredOn, description, merchantName, categoryId, cashboxId });
    }
  }

  /** @param externalId the id of the row; undefined if it has none */
  addRow(fields: MatchFields, externalId: string | undefined): void {
    if (externalId === undefined) {
      this.#rowsWithoutId.set(matchKey(fields), this.countRowsWithoutId(fields) + 1);
      return;
    }
    const id = idOf(fields.accountId, externalId);
    if (this.#live.has(id) || this.#voided.has(id)) this.#inFile.add(id);
  }

  /** Returns whether a movement of an account has this id and is not voided. */
  isRecorded(accountId: string, externalId: string): boolean {
    return this.#live.has(idOf(accountId, externalId));
  }

  /** Returns the movement that has this account and id, and is not voided. */
  find(accountId: string, externalId: string): MovementDetails | undefined {
    return this.#live.get(idOf(accountId, externalId));
  }

  /** Returns whether a movement of this account, day and amount has an id. The movement may be voided. */
  hasIdsAt(fields: MatchFields): boolean {
    return this.#matchKeysWithIds.has(matchKey(fields));
  }

  /** Returns whether an account has movements with this id, and all of them are voided. */
  isVoided(accountId: string, externalId: string): boolean {
    return this.#voided.has(idOf(accountId, externalId)) && !this.isRecorded(accountId, externalId);
  }

  /** Returns whether both a movement (voided or not) and a row of the file have this id. */
  isInFile(accountId: string, externalId: string): boolean {
    return this.#inFile.has(idOf(accountId, externalId));
  }

  countRowsWithoutId(fields: MatchFields): number {
    return this.#rowsWithoutId.get(matchKey(fields)) ?? 0;
  }
}

function idOf(accountId: string, externalId: string): string {
  return `${accountId.toLowerCase()} ${externalId}`;
}
