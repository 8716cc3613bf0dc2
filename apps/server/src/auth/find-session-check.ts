import type { CallContract } from '@centavo/contracts';
import type { Presented } from './authenticate.js';
import type { IdentityProvider } from './identity-provider.js';

/**
 * What an external issuer has to be asked before a user makes a secret: what outlives the session must not come out of one
 * that has ended. It is asked outside the transaction, because no connection may wait for somebody else's server; once the
 * caller is known and has paid with a token, because nobody may make us ask without end; and before the one-time code is
 * looked at. Where sessions are kept here, entering the request asks. Source: contract, sections 5, 8 and 10a
 * @returns an act that throws SESSION_INACTIVE (401) or SERVICE_UNAVAILABLE (503); undefined where there is nothing to ask
 */
export function findSessionCheck(request: {
  readonly identity: IdentityProvider;
  readonly presented: Presented;
  readonly call: CallContract;
}): (() => Promise<void>) | undefined {
  const { identity, presented, call } = request;
  const { token, claims } = presented;
  if (identity.keepsSessions || token.kind !== 'jwt' || claims === null || !makesSecret(call)) return undefined;
  return () => identity.requireActiveSession({ token: token.token, claims });
}

/** Every create and rotate, of integration clients too, which the contract asks no one-time code for. */
function makesSecret(call: CallContract): boolean {
  return call.stepUp || (call.noun === 'credentials' && call.method === 'POST');
}
