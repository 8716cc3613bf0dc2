import { isWellFormedSecret, secretPrefix } from '@centavo/contracts/calls';
import type { TokenSource } from '../client-options.js';
import { InvalidSecretError } from '../errors/usage-errors.js';

/**
 * Returns the checked token for the next attempt, or null if the client has no token.
 * @throws InvalidSecretError if the token is invalid
 * @throws every error that `source` throws, if `source` is a function
 */
export async function bearerToken(source: TokenSource | undefined): Promise<string | null> {
  if (source === undefined) return null;
  const token = typeof source === 'function' ? await source() : source;
  requireUsableToken(token);
  return token;
}

/**
 * Rejects an invalid token before a request is sent. The error does not contain the token. Without this check, `fetch` would reject a
 * token that a header cannot contain, and the error of `fetch` would contain the token.
 * @throws InvalidSecretError
 */
export function requireUsableToken(token: unknown): asserts token is string {
  if (typeof token !== 'string' || token === '') throw new InvalidSecretError('The token is empty or not a string');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new InvalidSecretError('The token has white space or other invalid characters; check how it was copied');
  }
  if (token.startsWith(secretPrefix) && !isWellFormedSecret(token)) {
    throw new InvalidSecretError('The API key is mistyped or cut off: its checksum is wrong');
  }
}
