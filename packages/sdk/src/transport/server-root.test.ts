import { describe, expect, test } from 'vitest';
import { UsageError } from '../errors/usage-errors.js';
import { serverRootOf } from './server-root.js';

test.each([
  ['http://127.0.0.1:8080/v1/financial', 'http://127.0.0.1:8080'],
  ['http://127.0.0.1:8080/v1/financial/', 'http://127.0.0.1:8080'],
  ['https://api.example.com', 'https://api.example.com'],
  ['https://example.com/centavo/v1/financial', 'https://example.com/centavo'],
])('the server root of %s is %s', (baseUrl, root) => {
  expect(serverRootOf(baseUrl, false)).toBe(root);
});

test.each([
  ['http://127.1', 'http://127.0.0.1'],
  ['http://0x7f000001', 'http://127.0.0.1'],
  ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
])('the client accepts %s without TLS, because it is equivalent to %s', (baseUrl, root) => {
  expect(serverRootOf(baseUrl, false)).toBe(root);
});

describe('a base URL with http', () => {
  test.each(['http://localhost:1', 'http://127.0.0.1', 'http://127.1.2.3', 'http://[::1]:8080'])(
    'is accepted for this machine: %s',
    (baseUrl) => {
      expect(serverRootOf(baseUrl, false)).toBe(baseUrl);
    },
  );

  test.each([
    'http://example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://localhost.example.com',
    // A resolver may query the network for this name, although it should not.
    'http://api.localhost',
    'http://[::2]',
  ])('is refused for a host other than this machine, unless allowInsecure is true: %s', (baseUrl) => {
    expect(() => serverRootOf(baseUrl, false)).toThrow(UsageError);
    expect(serverRootOf(baseUrl, true)).toBe(baseUrl);
  });
});

test.each(['', 'example.com', 'ftp://example.com', 'https://example.com?x=1', 'https://example.com#x'])(
  'the client rejects %j as a base URL',
  (baseUrl) => {
    expect(() => serverRootOf(baseUrl, false)).toThrow(UsageError);
  },
);

test('the client rejects a base URL with a password, and does not repeat the password in the error', () => {
  const act = () => serverRootOf('https://ana:hunter2@example.com', false);
  expect(act).toThrow(UsageError);
  expect(act).not.toThrow(/hunter2/);
});
