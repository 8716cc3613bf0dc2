import { routes } from '@centavo/contracts';
import { credentialInvalid } from '../auth/credentials.js';
import type { AnonymousLimits } from '../auth/principal.js';
import { type DetachedRequest, detachedEndpoint, type Endpoint } from '../http/endpoint.js';
import type { IdentityDependencies, SessionCaller } from './identity-dependencies.js';
import { createSession, endSession, refreshSession } from './sessions/sessions.js';
import { enrolTotp, verifyTotpCode } from './totp/totp.js';
import { createUser, getMe } from './users/users.js';

/**
 * Creates the endpoints of the embedded identity provider. Each operation opens its own transactions. If one transaction enclosed the whole
 * operation, a refusal would roll back the record of a wrong one-time code, and password hashing would occupy a database connection.
 */
export function createIdentityEndpoints(options: Omit<IdentityDependencies, 'database'>): readonly Endpoint[] {
  const dependenciesOf = ({ database }: Pick<DetachedRequest, 'database'>): IdentityDependencies => ({
    ...options,
    database,
  });
  return [
    detachedEndpoint(routes.createUser, async (request) => ({
      data: await createUser(dependenciesOf(request), {
        body: request.body,
        addressBlock: requireLimits(request).addressBlock,
      }),
    })),

    detachedEndpoint(routes.createSession, async (request) => ({
      data: await createSession(dependenciesOf(request), { body: request.body, limits: requireLimits(request) }),
    })),

    detachedEndpoint(routes.refreshSession, async (request) => ({
      data: await refreshSession(dependenciesOf(request), request.body.refreshToken),
    })),

    detachedEndpoint(routes.endSession, async (request) => {
      await endSession(dependenciesOf(request), requireCaller(request).sessionId);
      return { data: null };
    }),

    detachedEndpoint(routes.getMe, async (request) => ({
      data: await getMe(dependenciesOf(request), requireCaller(request).userId),
    })),

    detachedEndpoint(routes.enrolTotp, async (request) => ({
      data: await enrolTotp(dependenciesOf(request), requireCaller(request)),
    })),

    detachedEndpoint(routes.confirmTotp, async (request) => ({
      data: await verifyTotpCode(dependenciesOf(request), {
        caller: requireCaller(request),
        purpose: 'confirm',
        code: request.body.code,
      }),
    })),

    detachedEndpoint(routes.verifyTotp, async (request) => ({
      data: await verifyTotpCode(dependenciesOf(request), {
        caller: requireCaller(request),
        purpose: 'verify',
        code: request.body.code,
      }),
    })),
  ];
}

/**
 * Returns the user and the session of a request. Requests without a logged-in user are refused before they reach a handler that calls this
 * function.
 * @throws CREDENTIAL_INVALID (401) if there is no user
 */
function requireCaller({ principal, claims }: Pick<DetachedRequest, 'principal' | 'claims'>): SessionCaller {
  if (principal === null || claims === null) throw credentialInvalid('a handler for users was called without a user');
  return { userId: principal.userId, sessionId: claims.sessionId, totpAtSeconds: claims.totpAtSeconds };
}

/**
 * Returns the rate limits of a request without a credential. Every route that needs no credential has rate limits.
 * @throws Error if the request has no such limits
 */
function requireLimits({ anonymousLimits }: Pick<DetachedRequest, 'anonymousLimits'>): AnonymousLimits {
  if (anonymousLimits === null) throw new Error('An anonymous handler was called without limits.');
  return anonymousLimits;
}
