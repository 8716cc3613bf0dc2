import { createHash } from 'node:crypto';
import { errorCodes, isWellFormedSecret } from '@centavo/contracts';
import { ApiError } from '../api-error.js';

/** What an Authorization header holds, told apart by its shape alone. */
export type BearerToken =
  | { readonly kind: 'secret'; readonly sha256: Buffer }
  | { readonly kind: 'jwt'; readonly token: string };

// RFC 6750's b64token; longer ones are refused before any cryptography.
const bearerPattern = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;
const tokenLengthMax = 8192;

/** Says nothing of what is wrong with it. */
export const credentialInvalidText = `This credential is not valid. ${errorCodes.CREDENTIAL_INVALID.remedy}`;

/**
 * Reads the Authorization header.
 * @throws UNAUTHENTICATED (401) without a bearer token
 * @throws CREDENTIAL_INVALID (401) for what is neither a well-formed secret nor shaped like a JWT; a wrong checksum never
 *   reaches the database. Source: contract, sections 8 and 10a
 */
export function parseBearerToken(authorization: string | undefined): BearerToken {
  const token = authorization === undefined ? undefined : bearerPattern.exec(authorization.trim())?.[1];
  if (token === undefined) {
    if (authorization !== undefined && /^Bearer\s+\S/i.test(authorization)) throw credentialInvalid('malformed bearer');
    throw new ApiError({
      code: 'UNAUTHENTICATED',
      message: 'Send "Authorization: Bearer <token>" with a session token or an API key.',
      headers: { 'WWW-Authenticate': 'Bearer realm="centavo"' },
    });
  }
  if (isWellFormedSecret(token)) return { kind: 'secret', sha256: createHash('sha256').update(token).digest() };
  if (token.length <= tokenLengthMax && token.split('.').length === 3) return { kind: 'jwt', token };
  throw credentialInvalid('neither a secret nor a JWT');
}

/** 401 for anything malformed, unknown or wrongly signed; unless the caller says which proof failed, it says no more. */
export function credentialInvalid(internalReason: string, message = credentialInvalidText): ApiError {
  return refusedCredential({ code: 'CREDENTIAL_INVALID', message, internalReason });
}

/** A 401 with the challenge that RFC 6750 asks for. */
export function refusedCredential(options: {
  code: 'CREDENTIAL_INVALID' | 'CREDENTIAL_EXPIRED' | 'CREDENTIAL_REVOKED' | 'SESSION_INACTIVE';
  message: string;
  internalReason: string;
}): ApiError {
  return new ApiError({
    ...options,
    headers: { 'WWW-Authenticate': `Bearer realm="centavo", error="invalid_token"` },
  });
}
