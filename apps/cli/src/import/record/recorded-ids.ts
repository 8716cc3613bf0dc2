import { canonicalAmount } from '@centavo/contracts/calls';
import {
  type CreateMovementInput,
  type FinancialClient,
  isNotFoundError,
  isPermissionError,
  isStateConflictError,
  type Movement,
} from '@centavo/sdk';
import { listWithVoided } from '../plan/voided.js';

/**
 * Returns whether a recorded movement with the bank's id is the same transaction as the row: it has the same account, day and
 * amount. The row fails if the movement differs, or if the credential may not read it.
 * @param row.refusal the server's refusal of the row
 * @source additions, section 2.2
 */
export async function isRecordedUnderId(
  client: FinancialClient,
  { body, refusal }: { readonly body: CreateMovementInput; readonly refusal: unknown },
): Promise<boolean> {
  if (!isStateConflictError(refusal) || refusal.reason !== 'external_id_exists') return false;
  try {
    const movement = await client.movements.get(String(refusal.details.movementId));
    const isOfAccount = movement.accountId.toLowerCase() === body.accountId.toLowerCase();
    return isOfAccount && movement.occurredOn === body.occurredOn && hasAmount(movement, body);
  } catch (error) {
    if (isPermissionError(error) || isNotFoundError(error)) return false;
    throw error;
  }
}

/**
 * The record under the key of a row whose content was recorded before. `replayed`: it is the movement of the row. `kept`: it has
 * other details. `voided`: it was voided. An object: the record has another id of the bank, so that the row is another transaction.
 */
export type EqualRecord = 'replayed' | 'kept' | 'voided' | { readonly id: string; readonly externalId: string };

/**
 * Finds the record of a row that has an id of the bank, after the server refused its key because an equal row was recorded
 * under it. Two exports of an account may each contain one of two equal payments of a day, and their rows then have the
 * same key. If all movements of this day, direction and amount have other ids, the row is not recorded. A movement without an
 * id may be the movement of the row, because earlier versions recorded no ids.
 *
 * @returns `kept` if the credential may not read movements
 */
export async function findEqualRecord(client: FinancialClient, body: CreateMovementInput): Promise<EqualRecord> {
  const { accountId, externalId } = body;
  const day = body.occurredOn ?? '';
  try {
    const ofId = await listWithVoided(client, { accountId, externalId: externalId ?? '' });
    const movement = ofId.data.find((one) => !isVoided(one));
    if (movement !== undefined) return hasDetails(movement, body) ? 'replayed' : 'kept';
    if (ofId.data.length > 0) return 'voided';
    const equal: Movement[] = [];
    for await (const one of await listWithVoided(client, { accountId, from: day, to: day, limit: 200 })) {
      if (hasAmount(one, body)) equal.push(one);
    }
    if (equal.length === 0 || equal.some((one) => typeof one.externalId !== 'string')) return 'kept';
    const [{ id, externalId: otherId } = { id: '', externalId: '' }] = equal;
    return { id, externalId: otherId ?? '' };
  } catch (error) {
    if (isPermissionError(error)) return 'kept';
    throw error;
  }
}

function isVoided({ voidedAt }: Movement): boolean {
  return voidedAt !== null && voidedAt !== undefined;
}

function hasAmount(movement: Movement, { type, amountDecimal }: CreateMovementInput): boolean {
  return movement.type === type && canonicalAmount(movement.amountDecimal) === canonicalAmount(amountDecimal);
}

/** Returns whether a movement has the day, direction, amount and all other details that the row names. */
function hasDetails(movement: Movement, body: CreateMovementInput): boolean {
  const names = ['description', 'merchantName', 'categoryId', 'cashboxId'] as const;
  const isSame = names.every((name) => body[name] === undefined || body[name] === movement[name]);
  return isSame && movement.occurredOn === body.occurredOn && hasAmount(movement, body);
}
