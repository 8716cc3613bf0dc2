import { scopes } from '@centavo/contracts';
import type { EnteredFacts } from './access.queries.js';
import { credentialInvalid, refusedCredential } from './credentials.js';
import type { Principal } from './principal.js';

/**
 * Asks who is calling, and that the credential is good now. Pure.
 * @throws CREDENTIAL_INVALID, CREDENTIAL_EXPIRED, CREDENTIAL_REVOKED, SESSION_INACTIVE (401). Source: contract, section 10a
 */
export function requirePrincipal(facts: EnteredFacts): Principal {
  const { user, credential } = facts;
  if (user === null) throw credentialInvalid('unknown secret or user');
  if (credential === null) {
    if (facts.sessionActive === false) {
      throw refusedCredential({
        code: 'SESSION_INACTIVE',
        message: 'This session has ended. Log in again.',
        internalReason: 'session ended or unknown',
      });
    }
    return {
      type: 'user',
      id: user.id,
      name: user.displayName ?? user.email ?? user.id,
      kind: null,
      scopes: scopes,
      expiresAt: null,
      userId: user.id,
      credentialId: null,
      activeTrackerId: user.activeTrackerId,
      defaultTrackerId: user.defaultTrackerId,
      root: facts.principalRoot,
    };
  }
  if (credential.isRevoked) {
    throw refusedCredential({
      code: 'CREDENTIAL_REVOKED',
      message: 'This credential was revoked. Create a new one.',
      internalReason: 'credential revoked',
    });
  }
  if (credential.isExpired) {
    throw refusedCredential({
      code: 'CREDENTIAL_EXPIRED',
      message: 'This credential has expired. Rotate or replace it.',
      internalReason: 'credential expired',
    });
  }
  return {
    type: 'integration_client',
    id: credential.id,
    name: credential.name,
    kind: credential.kind,
    scopes: credential.scopes,
    expiresAt: credential.expiresAt,
    userId: user.id,
    credentialId: credential.id,
    activeTrackerId: credential.activeTrackerId,
    defaultTrackerId: credential.defaultTrackerId,
    root: facts.principalRoot,
  };
}
