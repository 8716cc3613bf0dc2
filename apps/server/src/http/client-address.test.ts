import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { clientAddress } from './client-address.js';

function from(forwardedFor: string | string[] | undefined, proxyHops: number): string {
  const lines = forwardedFor === undefined ? undefined : [forwardedFor].flat();
  const request = { socket: { remoteAddress: '10.0.0.1' }, headersDistinct: { 'x-forwarded-for': lines } };
  return clientAddress(request as unknown as IncomingMessage, proxyHops);
}

describe('the address of a client', () => {
  test('is the socket’s, whatever a header says, where no proxy stands in front', () => {
    expect(from('203.0.113.7', 0)).toBe('10.0.0.1');
  });

  test.each([
    [1, '198.51.100.2'],
    [2, '203.0.113.7'],
  ])(
    'is the entry %i from the right behind as many proxies: what stands left of it anybody can write',
    (hops, address) => {
      expect(from('192.0.2.66, 203.0.113.7, 198.51.100.2', hops)).toBe(address);
    },
  );

  test('is found in a header that was sent in several lines', () => {
    expect(from(['192.0.2.66', '203.0.113.7, 198.51.100.2'], 2)).toBe('203.0.113.7');
  });

  test('is the furthest that is known where entries are missing', () => {
    expect(from('203.0.113.7', 3)).toBe('203.0.113.7');
    expect(from(undefined, 3)).toBe('10.0.0.1');
  });

  test.each([
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['2001:db8::1', '2001:db8::1'],
    ['unknown', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('is read from %j as %s', (entry, address) => {
    expect(from(entry, 1)).toBe(address);
  });
});
