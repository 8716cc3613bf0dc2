import { ApiError } from '../api-error.js';
import { credentialInvalidText } from './credentials.js';
import type { IdentityProvider, SessionClaims } from './identity-provider.js';

/**
 * Runs the transaction of a request; when it finds nobody behind a verified token of an external issuer, the user is
 * added and the request entered again. The row has a transaction of its own, because the role that serves requests may
 * not add users; who is known costs nothing extra.
 * @throws whatever `attempt` throws
 */
export async function withNewUser<Result>(identity: IdentityProvider, attempt: () => Promise<Result>): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnknownUser) || identity.keepsSessions) throw error;
    await identity.addUser(error.claims);
    return attempt();
  }
}

/** The token is genuine and its user was never seen here. A 401, should it ever come through. */
export class UnknownUser extends ApiError {
  readonly claims: SessionClaims;

  constructor(claims: SessionClaims) {
    super({ code: 'CREDENTIAL_INVALID', message: credentialInvalidText, internalReason: 'unknown user' });
    this.claims = claims;
  }
}
