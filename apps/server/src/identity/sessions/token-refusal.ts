import { errors } from 'jose';
import { credentialInvalid, refusedCredential } from '../../auth/credentials.js';

/**
 * What a caller is told when verifying an access token failed: that a genuine one has expired, and of anything else only
 * that it is not valid. What is no verdict on the token is given back as it came. Source: contract, section 10a
 */
export function tokenRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) {
    return refusedCredential({
      code: 'CREDENTIAL_EXPIRED',
      message: 'This access token has expired. Refresh the session.',
      internalReason: 'access token expired',
    });
  }
  // Its code alone: the message of a claim's error quotes the token.
  return error instanceof errors.JOSEError ? credentialInvalid(error.code) : error;
}
