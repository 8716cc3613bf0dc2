import type { CallContract } from '@centavo/contracts';
import type { Presented } from './authenticate.js';
import type { IdentityProvider } from './identity-provider.js';

/**
 * Has an external issuer confirm the session of a user who makes a secret: what outlives the session must not come out of
 * one that has ended. It is asked before the transaction, because no connection may wait for somebody else's server, and
 * before the one-time code is looked at. Where sessions are kept here, entering the request asks. Source: contract,
 * sections 8 and 10a
 * @throws SESSION_INACTIVE (401), SERVICE_UNAVAILABLE (503)
 */
export async function requireActiveSession(request: {
  readonly identity: IdentityProvider;
  readonly presented: Presented;
  readonly call: CallContract;
}): Promise<void> {
  const { identity, presented, call } = request;
  const { token, claims } = presented;
  if (identity.keepsSessions || token.kind !== 'jwt' || claims === null || !makesSecret(call)) return;
  await identity.requireActiveSession({ token: token.token, claims });
}

/** Every create and rotate, of integration clients too, which the contract asks no one-time code for. */
function makesSecret(call: CallContract): boolean {
  return call.stepUp || (call.noun === 'credentials' && call.method === 'POST');
}
