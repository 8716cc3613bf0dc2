import { v7 as uuidv7 } from 'uuid';
import type { ExternalProvider, SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import type { Database } from '../../database/pool.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { absentIdentityEndpoints } from './absent-identity.endpoints.js';
import { verifyExternalToken } from './external-token.js';
import { insertExternalUser } from './external-users.queries.js';
import { fetchSmallJson, type Network } from './fetch-small-json.js';
import { requireActiveSession } from './introspection.js';
import { openIssuerNetwork } from './issuer-network.js';
import { parseKeySet } from './parse-key-set.js';
import { createRemoteKeySet } from './remote-key-set.js';

/** The identity provider of a server with an external issuer. It has none of the embedded provider's operations and no signing keys. */
export interface ExternalIdentity {
  readonly provider: ExternalProvider;
  readonly endpoints: typeof absentIdentityEndpoints;
  /** Null, because this server signs no tokens. */
  readonly jwks: null;
}

/**
 * Creates an identity provider from an external OpenID issuer. It fetches nothing before the first token, so the server can start while
 * the issuer is unavailable.
 * @param options.network the default is {@link openIssuerNetwork}
 */
export function createExternalIdentity(options: {
  readonly database: Database;
  readonly issuer: ExternalIssuer;
  readonly clock: () => Date;
  readonly randomBytes: (byteCount: number) => Buffer;
  readonly network?: Network;
}): ExternalIdentity {
  const { database, issuer, clock, randomBytes } = options;
  const { network = openIssuerNetwork() } = options;
  const newId = () => uuidv7({ msecs: clock().getTime(), random: randomBytes(16) });
  const keys = createRemoteKeySet({
    load: async () => parseKeySet(await fetchSmallJson({ network, url: issuer.jwksUrl })),
    clock,
  });
  return {
    provider: {
      storesSessions: false,
      verifyAccessToken: (token) => verifyExternalToken({ token, issuer, keys, now: clock() }),
      requireActiveSession: ({ token, claims }) =>
        requireActiveSession({ network, introspection: issuer.introspection, token, claims }),
      addUser: (claims) => addExternalUser({ database, newId, clock }, claims),
    },
    endpoints: absentIdentityEndpoints,
    jwks: null,
  };
}

/**
 * Adds the user of a verified token. Concurrent calls for one subject add one user. If the e-mail address belongs to another subject of
 * the issuer, the new user gets no address. Authentication finds a user by the subject, never by the address.
 * @throws SERVICE_UNAVAILABLE (503) if the database is unavailable
 */
export async function addExternalUser(
  dependencies: { readonly database: Database; readonly newId: () => string; readonly clock: () => Date },
  claims: SessionClaims,
): Promise<void> {
  const { issuer, subject, profile } = claims;
  const { email = null, displayName = null } = profile ?? {};
  const user = { id: dependencies.newId(), issuer, subject, email, displayName, createdAt: dependencies.clock() };
  await identityTransaction(dependencies.database, async (tx) => {
    const isAdded = await insertExternalUser(tx, user);
    if (!isAdded && email !== null) await insertExternalUser(tx, { ...user, email: null });
  });
}
