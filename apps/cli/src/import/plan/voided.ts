import { hash } from 'node:crypto';
import { canonicalAmount } from '@centavo/contracts/calls';
import { type FinancialClient, isValidationError, type Movement, type Page } from '@centavo/sdk';

type Place = Pick<Movement, 'accountId' | 'occurredOn'> & { readonly amountDecimal: string };

/**
 * The voided movements of accounts on the days of a file. The server replays the first response to a key, even if its
 * movement was voided later, so the response does not show this.
 */
export class VoidedMovements {
  readonly #ids = new Set<string>();
  readonly #places = new Set<string>();
  readonly #placesOfOthers = new Set<string>();

  /** Adds a movement, voided or not. */
  add(movement: Movement): void {
    if (movement.voidedAt === null || movement.voidedAt === undefined) {
      this.#placesOfOthers.add(placeId(movement));
      return;
    }
    this.#ids.add(movement.transferGroupId ?? movement.id);
    this.#places.add(placeId(movement));
  }

  /** Returns whether a movement or transfer was voided. */
  has(id: string | null | undefined): boolean {
    return id !== null && id !== undefined && this.#ids.has(id);
  }

  /** Returns whether an account has movements of this day and amount, and all of them are voided. */
  areAllVoided(place: Place): boolean {
    const id = placeId(place);
    return this.#places.has(id) && !this.#placesOfOthers.has(id);
  }
}

function placeId({ accountId, occurredOn, amountDecimal }: Place): string {
  return `${accountId.toLowerCase()} ${occurredOn} ${canonicalAmount(amountDecimal)}`;
}

/**
 * Returns the key under which a row is recorded again after the record under `key` was voided. The same row always has the
 * same further keys, so that it is not recorded twice. `import --undo` finds its records by these keys.
 */
export function keyAfterVoid(key: string): string {
  return hash('sha256', JSON.stringify(['centavo-import-1', 'again', key]));
}

/**
 * Lists movements with the voided ones. A server of the first version has no voided movements, and rejects the parameter for
 * them.
 */
export async function listWithVoided(
  client: FinancialClient,
  filters: { readonly from: string; readonly to: string; readonly accountId: string; readonly limit: number },
): Promise<Page<Movement>> {
  try {
    return await client.movements.list({ ...filters, includeVoided: true });
  } catch (error) {
    const isUnknown = isValidationError(error) && error.issues.some(({ path }) => path === 'query.includeVoided');
    if (!isUnknown) throw error;
    return client.movements.list(filters);
  }
}
