import { isWellFormedSecret, secretPrefix } from '@centavo/contracts/calls';
import type { TokenSource } from '../client-options.js';
import { InvalidSecretError } from '../errors/usage-errors.js';

/**
 * Returns the token of the next attempt after a check; null if the client has none.
 * @throws InvalidSecretError as {@link requireUsableToken}; and any error of a token function
 */
export async function bearerToken(source: TokenSource | undefined): Promise<string | null> {
  if (source === undefined) return null;
  const token = typeof source === 'function' ? await source() : source;
  requireUsableToken(token);
  return token;
}

/**
 * Rejects an invalid token without a request. No message repeats the token. The check precedes `fetch`, because its
 * error would quote a token that a header cannot carry.
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
