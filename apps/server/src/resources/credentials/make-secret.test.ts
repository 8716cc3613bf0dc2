import { createHash } from 'node:crypto';
import { isWellFormedSecret } from '@centavo/contracts';
import { expect, test } from 'vitest';
import { makeSecret } from './make-secret.js';

test('of a secret only its hash and its last four characters are kept', () => {
  const asked: number[] = [];
  const { secret, ...kept } = makeSecret((size) => {
    asked.push(size);
    return new Uint8Array(size).fill(9);
  });
  expect(asked).toEqual([32]);
  expect(isWellFormedSecret(secret)).toBe(true);
  expect(kept).toEqual({
    secretSha256: createHash('sha256').update(secret).digest(),
    secretLast4: secret.slice(-4),
  });
});
