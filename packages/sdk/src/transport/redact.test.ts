import { expect, test } from 'vitest';
import { redactToken, redactTokenInHeaders } from './redact.js';

const token = 'a-session-token';

test('redactToken redacts each occurrence of the token, and nothing else', () => {
  expect(redactToken(`${token}, again ${token}.`, token)).toBe('[redacted], again [redacted].');
  expect(redactToken('nothing here', token)).toBe('nothing here');
  expect(redactToken(`Bearer ${token}`, null)).toBe(`Bearer ${token}`);
});

test('redactToken does not redact a token of fewer than 8 characters', () => {
  expect(redactToken('{"code":"RATE_LIMITED","latest":1}', 'test')).toBe('{"code":"RATE_LIMITED","latest":1}');
});

test('redactTokenInHeaders redacts the token in headers, and does not merge several Set-Cookie headers', () => {
  const headers = new Headers([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
    ['x-echo', `Bearer ${token}`],
  ]);
  const redacted = redactTokenInHeaders(headers, token);
  expect(redacted.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(redacted.get('x-echo')).toBe('Bearer [redacted]');
});
