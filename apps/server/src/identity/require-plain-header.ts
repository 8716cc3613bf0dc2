import { credentialInvalid } from '../auth/credentials.js';

/**
 * Refuses a token whose header says how it is to be verified, or asks for extensions, of which there are none: the keys
 * are ours or the issuer's, never the token's.
 * @throws CREDENTIAL_INVALID (401). Source: RFC 8725, sections 3.9 and 3.10
 */
export function requirePlainHeader(header: Readonly<Record<string, unknown>>): void {
  const forbidden = forbiddenNames.find((name) => header[name] !== undefined);
  if (forbidden !== undefined) throw credentialInvalid(`header ${forbidden}`);
}

const forbiddenNames = ['crit', 'jku', 'jwk', 'x5u', 'x5c'] as const;
