import { v7 as uuidv7 } from 'uuid';
import type { ExternalProvider, SessionClaims } from '../../auth/principal.js';
import type { ExternalIssuer } from '../../config/external-issuer.js';
import type { Database } from '../../database/database.js';
import { identityTransaction } from '../identity-transaction.queries.js';
import { absentIdentityEndpoints } from './absent-identity.endpoints.js';
import { verifyExternalToken } from './external-token.js';
import { insertExternalUser } from './external-users.queries.js';
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

/**
 * Adds the user of a verified token. Twins of one first request add one user. An address that another subject of the
 * issuer has stays with that one, whom fellow members know by it, and the new user gets none: who a member is follows
 * from the subject, never from an address.
 * @throws SERVICE_UNAVAILABLE (503) when the database is away
 */
export async function addExternalUser(
  parts: { readonly database: Database; readonly newId: () => string; readonly clock: () => Date },
  claims: SessionClaims,
): Promise<void> {
  const { issuer, subject, profile } = claims;
  const { email = null, displayName = null } = profile ?? {};
  const user = { id: parts.newId(), issuer, subject, email, displayName, createdAt: parts.clock() };
  await identityTransaction(parts.database, async (tx) => {
    const isAdded = await insertExternalUser(tx, user);
    if (!isAdded && email !== null) await insertExternalUser(tx, { ...user, email: null });
  });
}
