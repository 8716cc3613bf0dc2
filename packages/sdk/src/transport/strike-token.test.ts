import { expect, test } from 'vitest';
import { strikeToken, strikeTokenFromHeaders } from './strike-token.js';

const token = 'a-session-token';

test('a token is struck out wherever it stands, and nothing else is', () => {
  expect(strikeToken(`${token}, again ${token}.`, token)).toBe('[redacted], again [redacted].');
  expect(strikeToken('nothing here', token)).toBe('nothing here');
  expect(strikeToken(`Bearer ${token}`, null)).toBe(`Bearer ${token}`);
});

test('what is too short to be a token is not struck out of the middle of words', () => {
  expect(strikeToken('{"code":"RATE_LIMITED","latest":1}', 'test')).toBe('{"code":"RATE_LIMITED","latest":1}');
});

test('headers without it stay as they are, cookies one by one', () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-echo', `Bearer ${token}`],
  ]);
  const struck = strikeTokenFromHeaders(headers, token);
  expect(struck.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(struck.get('x-echo')).toBe('Bearer [redacted]');
});
