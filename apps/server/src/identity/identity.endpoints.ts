import { routes } from '@centavo/contracts';
import { credentialInvalid } from '../auth/credentials.js';
import type { AnonymousLimits } from '../auth/principal.js';
import { type DetachedRequest, detachedEndpoint, type Endpoint } from '../http/endpoint.js';
import type { Caller, IdentityParts } from './identity-dependencies.js';
import { createSession, endSession, refreshSession } from './sessions/sessions.js';
import { enrolTotp, giveTotpCode } from './totp/totp.js';
import { createUser, getMe } from './users/users.js';

/**
 * The embedded provider over HTTP. All of it is detached: some of what it records, as a wrong code or the end of a session,
 * must outlive the refusal, and passwords are hashed while no connection is held.
 */
export function createIdentityEndpoints(options: Omit<IdentityParts, 'database'>): readonly Endpoint[] {
  const partsOf = ({ database }: Pick<DetachedRequest, 'database'>): IdentityParts => ({ ...options, database });
  return [
    detachedEndpoint(routes.createUser, async (request) => ({
      data: await createUser(partsOf(request), {
        body: request.body,
        addressBlock: requireLimits(request).addressBlock,
      }),
    })),

    detachedEndpoint(routes.createSession, async (request) => ({
      data: await createSession(partsOf(request), { body: request.body, limits: requireLimits(request) }),
    })),

    detachedEndpoint(routes.refreshSession, async (request) => ({
      data: await refreshSession(partsOf(request), request.body.refreshToken),
    })),

    detachedEndpoint(routes.endSession, async (request) => {
      await endSession(partsOf(request), requireCaller(request).sessionId);
      return { data: null };
    }),

    detachedEndpoint(routes.getMe, async (request) => ({
      data: await getMe(partsOf(request), requireCaller(request).userId),
    })),

    detachedEndpoint(routes.enrolTotp, async (request) => ({
      data: await enrolTotp(partsOf(request), requireCaller(request)),
    })),

    detachedEndpoint(routes.confirmTotp, async (request) => ({
      data: await giveTotpCode(partsOf(request), {
        caller: requireCaller(request),
        purpose: 'confirm',
        code: request.body.code,
      }),
    })),

    detachedEndpoint(routes.verifyTotp, async (request) => ({
      data: await giveTotpCode(partsOf(request), {
        caller: requireCaller(request),
        purpose: 'verify',
        code: request.body.code,
      }),
    })),
  ];
}

/** The routes ask for a user, so access has let in nobody else; without one this fails closed. */
function requireCaller({ principal, claims }: Pick<DetachedRequest, 'principal' | 'claims'>): Caller {
  if (principal === null || claims === null)
    throw credentialInvalid('a call for users reached its handler without one');
  return { userId: principal.userId, sessionId: claims.sessionId, totpAtSeconds: claims.totpAtSeconds };
}

/** The routes are open to anyone; without limits this fails closed. */
function requireLimits({ anonymousLimits }: Pick<DetachedRequest, 'anonymousLimits'>): AnonymousLimits {
  if (anonymousLimits === null) throw new Error('A call for anyone reached its handler without limits.');
  return anonymousLimits;
}
