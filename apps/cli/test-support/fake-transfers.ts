import { randomUUID } from 'node:crypto';
import { refusal, success } from './fake-responses.js';

type Json = Record<string, unknown>;

/** Stored responses for movements and transfers, by idempotency key. */
export type StoredResponses = Map<string, Json>;

/**
 * Returns the stored response of an idempotency key, an error response if the key was used with another body, or undefined if the key is
 * unused.
 */
export function replay(
  storedResponses: StoredResponses,
  { key, body }: { key: string; body: Json },
): Response | undefined {
  const stored = storedResponses.get(key);
  if (stored === undefined) return undefined;
  const isSame = JSON.stringify(stored.body) === JSON.stringify(body);
  return isSame ? success(stored.data, { replayed: true }) : refusal(409, 'IDEMPOTENCY_KEY_REUSED');
}

/** Records a transfer with its two movements, as the API does. */
export function recordTransfer(
  { body, key, isDryRun }: { body: Json; key: string; isDryRun: boolean },
  memory: {
    storedResponses: StoredResponses;
    transfers: Json[];
    addMovement(fields: Json): Json;
  },
): Response {
  const stored = replay(memory.storedResponses, { key, body });
  if (stored !== undefined) return stored;
  if (isDryRun) return success({ groupId: null }, { dryRun: true });
  const { fromAccountId, toAccountId, fromCashboxId, toCashboxId, ...shared } = body;
  const groupId = randomUUID();
  const addLeg = (type: string, accountId: unknown, cashboxId: unknown) =>
    memory.addMovement({
      ...shared,
      type,
      accountId,
      ...(cashboxId !== undefined && { cashboxId }),
      kind: 'transfer',
      categoryId: null,
      transferGroupId: groupId,
    });
  const movements = [addLeg('expense', fromAccountId, fromCashboxId), addLeg('income', toAccountId, toCashboxId)];
  const [from, to] = movements.map(({ accountId, cashboxId, id }) => ({ accountId, cashboxId, movementId: id }));
  const { trackerId, createdAt, amountDecimal, currencyCode, occurredOn, description } = movements[0] ?? {};
  const record = {
    groupId,
    trackerId,
    amountDecimal,
    currencyCode,
    occurredOn,
    description,
    from,
    to,
    movements,
    createdAt,
  };
  memory.transfers.push(record);
  memory.storedResponses.set(key, { body, data: record });
  return success(record, { status: 201 });
}
