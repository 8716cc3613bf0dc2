import type { TokenSource } from '../client-options.js';
import { requireUsableToken } from './require-usable-token.js';

/**
 * The token of the next attempt, checked; null if the client has none.
 * @throws InvalidSecretError as {@link requireUsableToken}; and whatever a token function throws
 */
export async function bearerToken(source: TokenSource | undefined): Promise<string | null> {
  if (source === undefined) return null;
  const token = typeof source === 'function' ? await source() : source;
  requireUsableToken(token);
  return token;
}
