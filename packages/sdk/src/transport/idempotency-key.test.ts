import { expect, test } from 'vitest';
import { UsageError } from '../errors/usage-errors.js';
import { chooseIdempotencyKey, createIdempotencyKey } from './idempotency-key.js';

const createKey = () => 'made';

test('chooseIdempotencyKey returns the caller’s idempotency key, or a new key if the caller passes none', () => {
  expect(chooseIdempotencyKey({ idempotency: 'required', given: 'mine', createKey })).toBe('mine');
  expect(chooseIdempotencyKey({ idempotency: 'accepted', given: undefined, createKey })).toBe('made');
});

test('chooseIdempotencyKey returns null if the server ignores keys for the operation, even if the caller passes one', () => {
  expect(chooseIdempotencyKey({ idempotency: 'ignored', given: 'mine', createKey })).toBeNull();
});

test.each(['', ' ', ' a', 'a ', 'ключ', 'a\nb', 'x'.repeat(201)])(
  'chooseIdempotencyKey rejects %j as an idempotency key',
  (given) => {
    expect(() => chooseIdempotencyKey({ idempotency: 'required', given, createKey })).toThrow(UsageError);
  },
);

test('createIdempotencyKey returns a different key each time', () => {
  expect(createIdempotencyKey()).not.toBe(createIdempotencyKey());
});
