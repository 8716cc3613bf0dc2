import { canonicalAmount } from '@centavo/contracts/calls';
import {
  type CreateMovementInput,
  type FinancialClient,
  isNotFoundError,
  isPermissionError,
  isStateConflictError,
  type Movement,
} from '@centavo/sdk';
import type { MovementDetails, RecordedIds } from '../plan/recorded/recorded-ids.js';
import { isVoided, listWithVoided } from '../plan/recorded/voided-movements.js';

/**
 * Returns the outcome of a row that the server refused because a movement has the `externalId` (the bank's id) of the row. The outcome is
 * `replayed` if this movement also has the day, direction and amount of the row. If not, the outcome is a failure that names the movement
 * and the details that differ.
 * @param row.refusal the server's refusal of the row
 * @returns undefined if the refusal has another reason, the movement cannot be read, or it is in another account than the row
 * @source docs/additions.md, section 2.2
 */
export async function settleTakenId(
  client: FinancialClient,
  { body, refusal }: { readonly body: CreateMovementInput; readonly refusal: unknown },
): Promise<'replayed' | { readonly failure: string } | undefined> {
  if (!isStateConflictError(refusal) || refusal.reason !== 'external_id_exists') return undefined;
  try {
    const movement = await client.movements.get(String(refusal.details.movementId));
    if (movement.accountId.toLowerCase() !== body.accountId.toLowerCase()) return undefined;
    if (movement.occurredOn === body.occurredOn && hasAmount(movement, body)) return 'replayed';
    return { failure: describeOther(movement, differingDetails(movement, body)) };
  } catch (error) {
    if (isPermissionError(error) || isNotFoundError(error)) return undefined;
    throw error;
  }
}

/**
 * The result of {@link findEqualRecord} for a row whose idempotency key the server refused because the key was used with other details.
 *
 * - `replayed`: the row is already recorded.
 * - `recorded with other details`: the row may already be recorded, with other details.
 * - `voided`: the movement with the `externalId` of the row was voided.
 * - An object: the key may have been used for another transaction. If `isCertain` is true, it certainly was used for another transaction.
 *   If `isCertain` is false, the row may already be recorded, for example because the user has chosen another id column than in the earlier
 *   import. `movement` has the day, direction and amount of the row, but another `externalId`; undefined if there is no such movement.
 */
export type EqualRecord =
  | 'replayed'
  | 'recorded with other details'
  | 'voided'
  | {
      readonly isCertain: boolean;
      readonly movement: { readonly id: string; readonly externalId: string } | undefined;
    };

/**
 * Finds out whether a row is recorded, after the server refused its idempotency key because the key was used with other details. The key
 * alone does not show whether the row is recorded. For example, if two equal payments of one day are in two different files, their rows
 * have the same key. So the bank's ids decide:
 *
 * - If a movement has the bank's id of the row, the row is recorded as this movement.
 * - A movement without an id may be the movement of any equal row without an id. It may also be the movement of a row with an id, because
 *   an earlier version of the CLI sent no ids.
 * - If neither is the case, and a movement has the day, direction, amount and text of the row but another id, the row counts as a new
 *   transaction. This is certain only if the file contains the ids of all such movements. If it does not, the user may have chosen another
 *   id column than in the earlier import, so that every recorded row now has another id.
 *
 * @returns `recorded with other details` if the credential may not read movements
 */
export async function findEqualRecord(
  client: FinancialClient,
  { body, ids }: { readonly body: CreateMovementInput; readonly ids: RecordedIds },
): Promise<EqualRecord> {
  const { accountId } = body;
  const externalId = body.externalId ?? undefined;
  const fields = { accountId, occurredOn: body.occurredOn ?? '', amountDecimal: body.amountDecimal };
  if (externalId === undefined && !ids.hasIdsAt(fields)) return 'recorded with other details';
  try {
    if (externalId !== undefined) {
      const known = ids.find(accountId, externalId);
      if (known !== undefined) return hasDetails(known, body) ? 'replayed' : 'recorded with other details';
      const ofId = await listWithVoided(client, { accountId, externalId });
      const movement = ofId.data.find((one) => !isVoided(one));
      if (movement !== undefined) return hasDetails(movement, body) ? 'replayed' : 'recorded with other details';
      if (ofId.data.length > 0) return 'voided';
    }
    const ofDay: Movement[] = [];
    const period = { from: fields.occurredOn, to: fields.occurredOn };
    for await (const one of await listWithVoided(client, { accountId, ...period, limit: 200 })) {
      ofDay.push(one);
    }
    const equal = ofDay.filter((one) => hasAmount(one, body));
    const withoutId = equal.filter((one) => typeof one.externalId !== 'string');
    const others = equal.flatMap((one) =>
      typeof one.externalId === 'string' && mayHaveText(one, body) ? [{ id: one.id, externalId: one.externalId }] : [],
    );
    const rowsWithoutId = ids.countRowsWithoutId(fields);
    if (withoutId.length > rowsWithoutId) return 'recorded with other details';
    if (externalId === undefined && withoutId.length === rowsWithoutId) {
      return withoutId.some((one) => hasDetails(one, body)) ? 'replayed' : 'recorded with other details';
    }
    // If no movement on the row's day has the direction and amount of the row, the movement that was recorded under the row's
    // key has another direction or amount. A row with an id then counts as a new transaction, with one exception: a movement of
    // this day was corrected, or has no id. This movement may be that of the row in spite of its other direction or amount. An
    // example of a new transaction is a fee: the key of a fee depends on the amount of the payment but not on the amount of the
    // fee, so the different fees of two equal payments have the same key.
    const isOfOtherAmount =
      equal.length === 0 &&
      externalId !== undefined &&
      ofDay.every((one) => one.version === 1 && typeof one.externalId === 'string');
    if (others.length === 0 && !isOfOtherAmount) return 'recorded with other details';
    const isCertain = others.length > 0 && others.every((other) => ids.isInFile(accountId, other.externalId));
    return { isCertain, movement: others[0] };
  } catch (error) {
    if (isPermissionError(error)) return 'recorded with other details';
    throw error;
  }
}

/**
 * Returns the outcome of a row whose key depends on the bank's id, after the server refused the key because it was used
 * with other details. The outcome is `replayed` if a movement with this id has the details of the row. If not, the outcome is a
 * failure, which names the movement with this id and the details that differ. If this movement is voided or cannot be read, the
 * failure does not name it.
 */
export async function settleReusedId(
  client: FinancialClient,
  body: CreateMovementInput,
): Promise<'replayed' | { readonly failure: string }> {
  const movement = await findUnderId(client, body);
  if (movement === undefined) {
    const what =
      "the bank's transaction id of this row was recorded before with other details, such as another amount, category or cashbox";
    return { failure: `${what}. ${remedyOfReusedId}` };
  }
  const differing = differingDetails(movement, body);
  return differing.length === 0 ? 'replayed' : { failure: describeOther(movement, differing) };
}

/** Returns the reason why a row fails: a movement has the bank's id of the row, but differs from the row in these details. */
function describeOther({ id }: Movement, differing: readonly string[]): string {
  const what = differing.map((name) => `another ${name}`).join(', ');
  const remedy = mayBeAnother(differing)
    ? `${remedyOfReusedId}. If it is the same transaction, correct this movement`
    : 'Correct this movement';
  return `the bank's transaction id of this row was recorded before with other details: movement ${id} has ${what}. ${remedy}, or void it and import the file with --record-again`;
}

const remedyOfReusedId = 'If the bank used this id for another transaction, import the file with --id-column ""';

/** Returns whether a movement and a row that differ in these details may be two different transactions. */
function mayBeAnother(differing: readonly string[]): boolean {
  const hasOtherText = differing.includes('description') || differing.includes('merchant');
  return differing.includes('day') || (differing.includes('amount') && hasOtherText);
}

async function findUnderId(
  client: FinancialClient,
  { accountId, externalId }: CreateMovementInput,
): Promise<Movement | undefined> {
  if (typeof externalId !== 'string') return undefined;
  try {
    const found = await listWithVoided(client, { accountId, externalId });
    return found.data.find((one) => !isVoided(one));
  } catch (error) {
    if (isPermissionError(error)) return undefined;
    throw error;
  }
}

/** Returns whether a movement has the description and merchant of a row, or may have had them before a correction. */
function mayHaveText({ version, description, merchantName }: Movement, body: CreateMovementInput): boolean {
  const isSame = (description ?? null) === (body.description ?? null) && merchantName === (body.merchantName ?? null);
  return isSame || version > 1;
}

function hasAmount(movement: MovementDetails, { type, amountDecimal }: CreateMovementInput): boolean {
  return movement.type === type && canonicalAmount(movement.amountDecimal) === canonicalAmount(amountDecimal);
}

/** Returns whether a movement has all details that the row names, such as its day, direction and amount. */
function hasDetails(movement: MovementDetails, body: CreateMovementInput): boolean {
  return differingDetails(movement, body).length === 0;
}

/**
 * Returns the names of the details in which a movement differs from a row. Details that the row does not name are not
 * compared.
 */
export function differingDetails(movement: MovementDetails, body: CreateMovementInput): readonly string[] {
  const details = [
    ['day', movement.occurredOn, body.occurredOn],
    ['direction', movement.type, body.type],
    ['amount', canonicalAmount(movement.amountDecimal), canonicalAmount(body.amountDecimal)],
    ['description', movement.description, body.description],
    ['merchant', movement.merchantName, body.merchantName],
    ['category', movement.categoryId, body.categoryId],
    ['cashbox', movement.cashboxId, body.cashboxId],
  ] as const;
  return details.flatMap(([name, recorded, ofRow]) => (ofRow === undefined || ofRow === recorded ? [] : [name]));
}
