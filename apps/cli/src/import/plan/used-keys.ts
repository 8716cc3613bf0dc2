import { type FinancialClient, isIdempotencyConflictError, isNotFoundError } from '@centavo/sdk';

/**
 * Returns whether a request was recorded under an idempotency key. The API has no lookup of keys, so this sends a
 * probe: a write that can never succeed, a movement into the nil account. The server checks the key before the
 * account (contract, sections 5 and 6). It refuses the probe for its key if the key was used, otherwise for its
 * account, and the key stays free.
 */
export async function isKeyUsed(client: FinancialClient, idempotencyKey: string): Promise<boolean> {
  const impossibleMovement = { type: 'expense', amountDecimal: '1', accountId: nilUuid } as const;
  try {
    await client.movements.create(impossibleMovement, { idempotencyKey });
  } catch (error) {
    if (isKeyReusedError(error)) return true;
    if (isNotFoundError(error)) return false;
    throw error;
  }
  throw new Error('The server has recorded a movement in an account that does not exist.');
}

/** Returns whether a request was refused because another one was recorded under its key. */
export function isKeyReusedError(error: unknown): boolean {
  return isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

const nilUuid = '00000000-0000-0000-0000-000000000000';
