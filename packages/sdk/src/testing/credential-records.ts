/**
 * Builders of credentials and sessions. Each returns a complete record: the given properties, and defaults for all others.
 * No server accepts the secrets.
 */
import type { CreatedCredential, Credential, Session } from '@centavo/contracts';
import { formatSecret, secretPrefix } from '@centavo/contracts/calls';
import { anId, sharedMoment, sharedTrackerId } from './an-id.js';

/**
 * Returns the secret of an API key, with a correct checksum. Clients accept the secret, but no server does.
 * @example
 * import { FinancialClient } from '@centavo/sdk';
 * import { aSecret } from '@centavo/sdk/testing';
 *
 * const client = new FinancialClient({ token: aSecret() });
 */
export function aSecret(): string {
  return formatSecret(new Uint8Array(32).fill(7));
}

/**
 * Returns an API key without its secret, as `credentials.listApiKeys` returns it.
 * @example
 * import { aCredential } from '@centavo/sdk/testing';
 *
 * const expired = aCredential({ status: 'expired' });
 */
export function aCredential(fields: Partial<Credential> = {}): Credential {
  return {
    clientId: anId(),
    kind: 'secure',
    name: 'import',
    scopes: ['movements:read', 'movements:write'],
    access: { mode: 'selected', trackerIds: [sharedTrackerId] },
    defaultTrackerId: null,
    secretPrefix,
    secretLast4: aSecret().slice(-4),
    status: 'active',
    expiresAt: '2026-05-01T12:00:00.000Z',
    lastUsedAt: null,
    rotatedFrom: null,
    createdAt: sharedMoment,
    revokedAt: null,
    ...fields,
  };
}

/**
 * Returns an API key with its secret, as `credentials.createApiKey` and `credentials.rotateApiKey` return it.
 * @example
 * import { aCreatedCredential } from '@centavo/sdk/testing';
 *
 * const { secret, secretLast4 } = aCreatedCredential();
 * console.log(secret.endsWith(secretLast4)); // true
 */
export function aCreatedCredential(fields: Partial<CreatedCredential> = {}): CreatedCredential {
  return { ...aCredential(fields), secret: aSecret(), ...fields };
}

/**
 * Returns a session. By default, its user has not enrolled an authenticator app.
 * @example
 * import { aSession } from '@centavo/sdk/testing';
 *
 * const session = aSession({ accessToken: 'refreshed' });
 */
export function aSession(fields: Partial<Session> = {}): Session {
  return {
    sessionId: anId(),
    accessToken: 'an-access-token',
    tokenType: 'Bearer',
    expiresAt: '2026-01-31T12:15:00.000Z',
    refreshToken: 'a-refresh-token',
    refreshExpiresAt: '2026-03-02T12:00:00.000Z',
    totpEnrolled: false,
    ...fields,
  };
}
