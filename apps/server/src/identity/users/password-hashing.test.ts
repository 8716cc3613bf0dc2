import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { argon2id, countHashesAtOnce, unknownUserPasswordHash } from './password-hashing.js';

test('a password is verified by its hash and no other is', async () => {
  const passwordHash = await argon2id.hash('correct horse battery');
  expect(passwordHash).toMatch(/^\$argon2id\$/);
  expect(await argon2id.verify(passwordHash, 'correct horse battery')).toBe(true);
  expect(await argon2id.verify(passwordHash, 'correct horse battery ')).toBe(false);
});

test('the hash for unknown users costs what a new hash costs', async () => {
  expect(parseOptions(unknownUserPasswordHash)).toEqual(parseOptions(await argon2id.hash('correct horse battery')));
});

test.each([
  [undefined, 2],
  ['4', 2],
  ['64', 2],
  ['3', 1],
  ['1', 1],
  ['0', 1],
  ['many', 1],
])('with UV_THREADPOOL_SIZE=%s, which libuv reads, so many are hashed at once: %i', (size, count) => {
  expect(countHashesAtOnce(size)).toBe(count);
});
