import { hash } from 'node:crypto';
import { canonicalAmount } from '@centavo/contracts/calls';
import { type FinancialClient, isValidationError, type Movement, type Page } from '@centavo/sdk';

/** The fields by which the import matches a row with recorded movements: the account, the day and the amount. */
export type MatchFields = Pick<Movement, 'accountId' | 'occurredOn'> & { readonly amountDecimal: string };

/**
 * The voided movements of the accounts of a file, on and around the days of its rows. The import must list them: if it only
 * sent a recorded row again with the same idempotency key, the server would repeat its first response, which does not show that the
 * movement was voided later.
 */
export class VoidedMovements {
  readonly #ids = new Set<string>();
  readonly #byMatchKey = new Map<string, MatchingMovements>();

  /** Adds a movement, voided or not. */
  add(movement: Movement): void {
    const known = this.#byMatchKey.get(matchKey(movement));
    const matching = known ?? {
      hasVoided: false,
      liveCount: 0,
      withoutId: 0,
      ids: new Set(),
      voidedIds: new Set(),
      rows: 0,
      rowsWithId: 0,
      voidedRows: 0,
    };
    if (known === undefined) this.#byMatchKey.set(matchKey(movement), matching);
    if (isVoided(movement)) {
      this.#ids.add(movement.transferGroupId ?? movement.id);
      matching.hasVoided = true;
      if (typeof movement.externalId === 'string') matching.voidedIds.add(movement.externalId);
      return;
    }
    matching.liveCount += 1;
    if (typeof movement.externalId === 'string') matching.ids.add(movement.externalId);
    else matching.withoutId += 1;
  }

  /** Returns whether a movement or transfer was voided. */
  has(id: string | null | undefined): boolean {
    return id !== null && id !== undefined && this.#ids.has(id);
  }

  /** Whether no movement is voided. */
  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** Returns whether an account has movements of this day and amount, and all of them are voided. */
  areAllVoided(fields: MatchFields): boolean {
    const movements = this.#byMatchKey.get(matchKey(fields));
    return movements?.hasVoided === true && movements.liveCount === 0;
  }

  /** Counts a row that is recorded already. */
  countReplay(fields: MatchFields, externalId?: string): void {
    const movements = this.#byMatchKey.get(matchKey(fields));
    if (movements === undefined) return;
    if (externalId === undefined) movements.rows += 1;
    else if (movements.ids.delete(externalId)) return;
    else if (movements.voidedIds.has(externalId)) movements.voidedRows += 1;
    else movements.rowsWithId += 1;
  }

  /**
   * The number of rows, counted by `countReplay`, whose movement was voided and not replaced. A voided movement is replaced if another
   * movement of the same account, day and amount is not voided: either the row was recorded again after the void, or the row was
   * recorded twice and only one record was voided. Each movement that is not voided replaces the movement of one row only. A movement
   * with an `externalId` (the bank's id) does not replace the movement of a row with another id.
   */
  get voidedRowCount(): number {
    let count = 0;
    for (const { hasVoided, withoutId, ids, rows, rowsWithId, voidedRows } of this.#byMatchKey.values()) {
      if (!hasVoided) continue;
      const leftForRowsWithoutId = Math.max(0, withoutId - rowsWithId) + ids.size;
      count += voidedRows + Math.max(0, rowsWithId - withoutId) + Math.max(0, rows - leftForRowsWithoutId);
    }
    return count;
  }
}

/**
 * Counts and ids of the movements with the same `MatchFields`, and of the rows that `countReplay` has counted for them. In the comments of
 * the fields, the id of a movement or row is its `externalId`.
 */
interface MatchingMovements {
  hasVoided: boolean;
  /** The number of movements that are not voided. */
  liveCount: number;
  /** The number of movements that are not voided and have no id. */
  withoutId: number;
  /** The ids of movements that are not voided, except the ids of counted rows. */
  readonly ids: Set<string>;
  /** The ids of voided movements. */
  readonly voidedIds: Set<string>;
  /** The number of counted rows without an id. */
  rows: number;
  /** The number of counted rows with an id that no movement has. */
  rowsWithId: number;
  /** The number of counted rows with an id that only voided movements have. */
  voidedRows: number;
}

/** Returns whether a movement or transfer is voided. A server of the first version does not send `voidedAt`. */
export function isVoided({ voidedAt }: Pick<Movement, 'voidedAt'>): boolean {
  return voidedAt !== null && voidedAt !== undefined;
}

/**
 * Returns a string that is equal for equal `MatchFields`. The case of the account id, and trailing zeros of the amount, make no difference.
 */
export function matchKey({ accountId, occurredOn, amountDecimal }: MatchFields): string {
  return `${accountId.toLowerCase()} ${occurredOn} ${canonicalAmount(amountDecimal)}`;
}

/**
 * Returns the key under which a row is recorded again after the record under `key` was voided. The result depends only on
 * `key`, so that a repeated import does not record the row twice, and `import --undo` finds the record.
 */
export function keyAfterVoid(key: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'again', key]));
}

/**
 * Returns the key under which a row is recorded as a separate transaction, if an equal row with another `externalId` was
 * recorded under `key`. `import --undo` finds the record of the row by this key.
 */
export function keyOfOtherId(key: string, externalId: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'other id', key, externalId]));
}

/**
 * Lists movements, including voided movements. A server of the first version has no voided movements, and rejects the
 * parameter `includeVoided`.
 */
export async function listWithVoided(
  client: FinancialClient,
  filters: Parameters<FinancialClient['movements']['list']>[0],
): Promise<Page<Movement>> {
  try {
    return await client.movements.list({ ...filters, includeVoided: true });
  } catch (error) {
    const isUnknown = isValidationError(error) && error.issues.some(({ path }) => path === 'query.includeVoided');
    if (!isUnknown) throw error;
    return client.movements.list(filters);
  }
}
