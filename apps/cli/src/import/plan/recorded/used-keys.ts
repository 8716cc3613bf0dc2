import { type FinancialClient, isIdempotencyConflictError, isNotFoundError } from '@centavo/sdk';
import { isMissingOperation } from '../../../client/is-missing-operation.js';
import { connectionsMax } from '../../../network/open-fetch.js';

/**
 * Returns whether a request was recorded under an idempotency key. The API cannot look up keys, so the function sends a
 * probe that can never succeed: a movement in an account with the nil UUID. The server checks the key before the account
 * (docs/contract.md, sections 5 and 6). If the key was used, the server rejects the probe because of the key. If not, the server rejects it
 * because of the account, and the key stays unused.
 */
export async function isKeyUsed(client: FinancialClient, idempotencyKey: string): Promise<boolean> {
  try {
    await client.movements.create(impossibleMovement, { idempotencyKey });
  } catch (error) {
    if (isKeyReusedError(error)) return true;
    if (isNotFoundError(error)) return false;
    throw error;
  }
  throw new Error('The server has recorded a movement in an account that does not exist.');
}

/**
 * Returns those of the given keys under which a request was recorded. One request looks up at most 100 keys, or one key on an
 * older server.
 */
export async function findUsedKeys(client: FinancialClient, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  try {
    const probes = keys.map((idempotencyKey) => ({ ...impossibleMovement, idempotencyKey }));
    const results = await client.movements.createMany(probes, { mode: 'independent', dryRun: true });
    return new Set(keys.filter((_, index) => results[index]?.error?.code !== 'NOT_FOUND'));
  } catch (error) {
    if (!isMissingOperation(error)) throw error;
  }
  const used = new Set<string>();
  for (let start = 0; start < keys.length; start += connectionsMax) {
    const some = keys.slice(start, start + connectionsMax);
    await Promise.all(some.map(async (key) => (await isKeyUsed(client, key)) && used.add(key)));
  }
  return used;
}

/** Returns whether a request was refused because its key was used for a different request. */
export function isKeyReusedError(error: unknown): boolean {
  return isIdempotencyConflictError(error) && error.code === 'IDEMPOTENCY_KEY_REUSED';
}

const impossibleMovement = {
  type: 'expense',
  amountDecimal: '1',
  accountId: '00000000-0000-0000-0000-000000000000',
} as const;
