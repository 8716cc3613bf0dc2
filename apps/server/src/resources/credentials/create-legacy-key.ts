import type { createIntegrationClientBody } from '@centavo/contracts';
import type * as z from 'zod';
import { notFound } from '../../api-error.js';
import type { Transaction } from '../../database/transaction.js';
import { actAsUser, insertCredential, loadCreateCredentialFacts } from './credentials.queries.js';
import { decideCredential, makeSecret } from './credentials.rules.js';

/**
 * Creates a legacy key for the user with the e-mail address `request.email`. A legacy key works like a key of the API before v1.1. Its
 * fields are validated by the rules for integration clients. Only the command `legacy-key` calls this function; no API operation does.
 * @returns the secret, which is not stored
 * @throws NOT_FOUND (404) `resource: user`, and the errors of decideCredential
 * @source docs/contract.md, section 2
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
  if (userId === undefined) throw notFound({ resource: 'user', path: 'email' });
  const facts = await loadCreateCredentialFacts(tx, { userId });
  const { body, now, keyMaxValidityDays: validityDaysMax } = request;
  const plan = decideCredential({ kind: 'integration_client', body, ...facts, now, validityDaysMax });
  const { secret, ...stored } = makeSecret(request.randomBytes);
  const id = request.newId();
  await insertCredential(tx, { ...plan, ...stored, id, lineageId: id, rotatedFrom: null, userId, kind: 'legacy' });
  return secret;
}
