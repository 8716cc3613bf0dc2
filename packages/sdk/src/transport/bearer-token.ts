import { isWellFormedSecret, secretPrefix } from '@centavo/contracts/calls';
import type { TokenSource } from '../client-options.js';
import { InvalidSecretError } from '../errors/usage-errors.js';

/**
 * Returns the checked token for the next attempt, or null if the client has no token.
 * @throws InvalidSecretError as {@link requireUsableToken} does, and every error that a token function throws
 */
export async function bearerToken(source: TokenSource | undefined): Promise<string | null> {
  if (source === undefined) return null;
  const token = typeof source === 'function' ? await source() : source;
  requireUsableToken(token);
  return token;
}

/**
 * Rejects an invalid token without a request. No message repeats the token. The check runs before `fetch`, because the
 * error of `fetch` would quote a token that a header cannot contain.
 * @throws InvalidSecretError
 */
export function requireUsableToken(token: unknown): asserts token is string {
  if (typeof token !== 'string' || token === '') throw new InvalidSecretError('The token is empty');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new InvalidSecretError('The token has white space or other invalid characters; check how it was copied');
  }
  if (token.startsWith(secretPrefix) && !isWellFormedSecret(token)) {
    throw new InvalidSecretError('The API key is mistyped or cut off: its checksum is wrong');
  }
}
