import { formatSecret } from '@centavo/contracts/calls';
import { expect, test } from 'vitest';
import { FinancialClient, isInvalidSecretError } from '../index.js';
import { bearerToken } from './bearer-token.js';

const secret = formatSecret(new Uint8Array(32).fill(7));

test('bearerToken returns an API key with a correct checksum unchanged', async () => {
  expect(await bearerToken(secret)).toBe(secret);
});

test.each([
  ['cut off', secret.slice(0, -1)],
  ['mistyped', secret.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))],
  ['copied with a line break', `${secret}\n`],
  ['empty', ''],
  ['in quotes that are not ASCII', `“${secret}”`],
])(
  'the constructor of FinancialClient rejects an API key that is %s, and does not repeat the key in the error',
  (_, token) => {
    let thrown: unknown;
    try {
      new FinancialClient({ token });
    } catch (error) {
      thrown = error;
    }
    expect(isInvalidSecretError(thrown)).toBe(true);
    expect(String(thrown)).not.toContain(secret.slice(20, 30));
  },
);

test('bearerToken rejects a malformed token that the token function of the caller returns', async () => {
  await expect(bearerToken(() => 'centavo_live_x')).rejects.toSatisfy(isInvalidSecretError);
  await expect(bearerToken(async () => 'two words')).rejects.toSatisfy(isInvalidSecretError);
});
