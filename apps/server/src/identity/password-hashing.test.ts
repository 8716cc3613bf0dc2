import { parseOptions } from '@node-rs/argon2';
import { expect, test } from 'vitest';
import { argon2id, unknownUserPasswordHash } from './password-hashing.js';

test('a password is verified by its hash and no other is', async () => {
  const passwordHash = await argon2id.hash('correct horse battery');
  expect(passwordHash).toMatch(/^\$argon2id\$/);
  expect(await argon2id.verify(passwordHash, 'correct horse battery')).toBe(true);
  expect(await argon2id.verify(passwordHash, 'correct horse battery ')).toBe(false);
});

test('the hash for unknown users costs what a new hash costs', async () => {
  expect(parseOptions(unknownUserPasswordHash)).toEqual(parseOptions(await argon2id.hash('correct horse battery')));
});
