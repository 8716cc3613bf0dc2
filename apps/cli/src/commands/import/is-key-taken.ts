import { type FinancialClient, isIdempotencyConflictError, isNotFoundError } from '@centavo/sdk';

/**
 * Whether something was recorded under a key. The API has no question for that, but an order of checks: the key comes
 * before the account (contract, sections 5 and 6). So a movement into an account that nobody can have is refused either
 * for its key, which then is taken, or for its account, which leaves the key free as it was. It can never be recorded.
 */
export async function isKeyTaken(client: FinancialClient, idempotencyKey: string): Promise<boolean> {
  const impossible = { type: 'expense', amountDecimal: '1', accountId: nobodysAccount } as const;
  try {
    await client.movements.create(impossible, { idempotencyKey });
  } catch (error) {
    if (isKeyReused(error)) return true;
    if (isNotFoundError(error)) return false;
    throw error;
  }
  throw new Error('The server has recorded a movement in an account that does not exist.');
}

/** Whether a request was refused because another one was recorded under its key. */
export function isKeyReused(error: unknown): boolean {
  return isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

/** The nil UUID, which is no id of anything. */
const nobodysAccount = '00000000-0000-0000-0000-000000000000';
