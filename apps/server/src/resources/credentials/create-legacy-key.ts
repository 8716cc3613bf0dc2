import type { createIntegrationClientBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound } from '../../api-error.js';
import type { Transaction } from '../../database/database.js';
import { actAsUser, insertCredential, loadCreateCredentialFacts } from './credentials.queries.js';
import { decideCredential, makeSecret } from './credentials.rules.js';

/**
 * Makes a key of the interface before v1.1 for the user with this e-mail address, as that user and under the rules of
 * integration clients. Only an operator can: no call of the API does it. Source: contract, section 2.
 * @returns the secret, which is not kept
 * @throws NOT_FOUND (404) `resource: user`, and what decideCredential throws
 */
export async function createLegacyKey(
  tx: Transaction,
  request: {
    readonly email: string;
    readonly body: z.output<typeof createIntegrationClientBody>;
    readonly now: Date;
    readonly newId: () => string;
    readonly randomBytes: (size: number) => Uint8Array;
    readonly keyMaxValidityDays: number;
  },
): Promise<string> {
  const userId = await actAsUser(tx, { email: request.email });
  if (userId === undefined) throw notFound('user');
  const facts = await loadCreateCredentialFacts(tx, { userId });
  const { body, now, keyMaxValidityDays: validityDaysMax } = request;
  const plan = decideCredential({ kind: 'integration_client', body, ...facts, now, validityDaysMax });
  const { secret, ...kept } = makeSecret(request.randomBytes);
  const id = request.newId();
  await insertCredential(tx, { ...plan, ...kept, id, lineageId: id, rotatedFrom: null, userId, kind: 'legacy' });
  return secret;
}
