import { isWellFormedSecret, secretPrefix } from '@centavo/contracts/calls';
import { InvalidSecretError } from '../errors/usage-errors.js';

/**
 * Refuses, without asking the server, a token that cannot be right. No message repeats the token: not even fetch may be
 * given one that a header cannot carry, because its error would quote it.
 * @throws InvalidSecretError
 */
export function requireUsableToken(token: unknown): asserts token is string {
  if (typeof token !== 'string' || token === '') throw new InvalidSecretError('The token is empty');
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new InvalidSecretError(
      'The token has white space or characters in it that no token has; look at how it was copied',
    );
  }
  if (token.startsWith(secretPrefix) && !isWellFormedSecret(token)) {
    throw new InvalidSecretError('The API key is mistyped or cut off: its checksum is wrong');
  }
}
