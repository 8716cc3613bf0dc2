import { v7 as uuidv7 } from 'uuid';
import type { ExternalProvider } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import type { Database } from '../../database/database.js';
import { absentIdentityEndpoints } from './absent-identity.endpoints.js';
import { addExternalUser } from './add-external-user.js';
import { verifyExternalToken } from './external-token.js';
import { fetchSmallJson, type Network } from './fetch-small-json.js';
import { askActiveSession } from './introspection.js';
import { parseKeySet } from './parse-key-set.js';
import { createRemoteKeySet } from './remote-key-set.js';

/** An external issuer in the place of the embedded provider; none of that one's calls is served, nor are there keys. */
export interface ExternalIdentity {
  readonly provider: ExternalProvider;
  readonly endpoints: typeof absentIdentityEndpoints;
  /** This server signs no tokens. */
  readonly jwks: null;
}

/**
 * Puts an OpenID provider in the place of the embedded one. Nothing is fetched before the first token, so that the server
 * starts while the issuer is away.
 * @param options.network the process's own unless told
 */
export function createExternalIdentity(options: {
  readonly database: Database;
  readonly issuer: ExternalIssuer;
  readonly clock: () => Date;
  readonly randomBytes: (byteCount: number) => Buffer;
  readonly network?: Network;
}): ExternalIdentity {
  const { database, issuer, clock, randomBytes } = options;
  const { network = { fetch, timeoutSignal: (ms: number) => AbortSignal.timeout(ms) } } = options;
  const newId = () => uuidv7({ msecs: clock().getTime(), random: randomBytes(16) });
  const keys = createRemoteKeySet({
    load: async () => parseKeySet(await fetchSmallJson({ network, url: issuer.jwksUrl })),
    clock,
  });
  return {
    provider: {
      keepsSessions: false,
      verifyAccessToken: (token) => verifyExternalToken({ token, issuer, keys, now: clock() }),
      requireActiveSession: ({ token, claims }) =>
        askActiveSession({ network, introspection: issuer.introspection, token, claims }),
      addUser: (claims) => addExternalUser({ database, newId, clock }, claims),
    },
    endpoints: absentIdentityEndpoints,
    jwks: null,
  };
}
