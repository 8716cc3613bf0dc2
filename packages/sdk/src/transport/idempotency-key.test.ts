import { expect, test } from 'vitest';
import { UsageError } from '../errors/usage-errors.js';
import { chooseIdempotencyKey, createIdempotencyKey } from './idempotency-key.js';

const createKey = () => 'made';

test('a write has the caller’s key, or else one that is made for it', () => {
  expect(chooseIdempotencyKey({ idempotency: 'required', given: 'mine', createKey })).toBe('mine');
  expect(chooseIdempotencyKey({ idempotency: 'accepted', given: undefined, createKey })).toBe('made');
});

test('a call on which the server ignores keys has none, so that nothing takes it for safe to repeat', () => {
  expect(chooseIdempotencyKey({ idempotency: 'ignored', given: 'mine', createKey })).toBeNull();
});

test.each(['', ' ', ' a', 'a ', 'ключ', 'a\nb', 'x'.repeat(201)])('%j is not a key', (given) => {
  expect(() => chooseIdempotencyKey({ idempotency: 'required', given, createKey })).toThrow(UsageError);
});

test('two made keys differ', () => {
  expect(createIdempotencyKey()).not.toBe(createIdempotencyKey());
});
