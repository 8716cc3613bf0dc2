import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { findLiteralAddress, isAllowedAddress } from './public-address.js';

const publicAddresses = [
  '1.1.1.1',
  '8.8.8.8',
  '93.184.215.14',
  '172.15.255.255',
  '172.32.0.1',
  '192.167.255.255',
  '223.255.255.254',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82b::200e',
  '::ffff:8.8.8.8',
];

const otherAddresses = [
  ['this network', '0.0.0.0'],
  ['this network', '0.255.255.255'],
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['private', '10.0.0.1'],
  ['private', '10.255.255.255'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.0.1'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['carrier-grade NAT', '100.127.255.255'],
  ['link-local', '169.254.1.1'],
  ['metadata', '169.254.169.254'],
  ['protocol assignments', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['6to4 relay', '192.88.99.1'],
  ['benchmarks', '198.18.0.1'],
  ['benchmarks', '198.19.255.255'],
  ['multicast', '224.0.0.1'],
  ['multicast', '239.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback', '::1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback', '::ffff:7f00:1'],
  ['mapped private', '::ffff:10.0.0.1'],
  ['mapped metadata', '::ffff:169.254.169.254'],
  ['IPv4-compatible loopback', '::7f00:1'],
  ['IPv4-compatible private', '::10.0.0.1'],
  ['NAT64 loopback', '64:ff9b::7f00:1'],
  ['NAT64 private', '64:ff9b::a00:1'],
  ['local NAT64', '64:ff9b:1::1'],
  ['6to4 loopback', '2002:7f00:1::'],
  ['6to4 private', '2002:a00:1::'],
  ['Teredo', '2001::1'],
  ['ORCHID', '2001:10::1'],
  ['documentation', '2001:db8::1'],
  ['discard', '100::1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['AWS metadata', 'fd00:ec2::254'],
  ['link-local', 'fe80::1'],
  ['a zone', 'fe80::1%eth0'],
  ['site-local', 'fec0::1'],
  ['multicast', 'ff02::1'],
  ['unassigned', '4000::1'],
  ['unassigned', '1::1'],
  ['no address', 'localhost'],
  ['no address', ''],
] as const;

it.each(publicAddresses)('isAllowedAddress returns true for %s', (address) => {
  expect(isAllowedAddress(address, [])).toBe(true);
});

it.each(otherAddresses)('isAllowedAddress returns false for %s: %s', (_, address) => {
  expect(isAllowedAddress(address, [])).toBe(false);
});

describe("isAllowedAddress with the operator's networks 127.0.0.0/8 and fd00::/8", () => {
  const networks = [ipaddr.parseCIDR('127.0.0.0/8'), ipaddr.parseCIDR('fd00::/8')];

  it.each(['127.0.0.1', '::ffff:127.0.0.1', 'fd12::1'])('returns true for %s', (address) => {
    expect(isAllowedAddress(address, networks)).toBe(true);
  });

  it.each(['10.0.0.1', '::1', '::7f00:1', 'fe80::1', '64:ff9b::7f00:1'])('returns false for %s', (address) => {
    expect(isAllowedAddress(address, networks)).toBe(false);
  });
});

it.each([
  ['https://127.0.0.1/', '127.0.0.1'],
  ['https://2130706433/', '127.0.0.1'],
  ['https://0x7f.1/', '127.0.0.1'],
  ['https://0177.0.0.1/', '127.0.0.1'],
  ['https://0/', '0.0.0.0'],
  ['https://127.0.0.1./', '127.0.0.1'],
  ['https://[::1]/', '::1'],
  ['https://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ['https://１２７.0.0.1/', '127.0.0.1'],
  ['https://localhost/', undefined],
  ['https://127.0.0.1.example.org/', undefined],
])('findLiteralAddress maps the host of %s to the address %s', (url, address) => {
  expect(findLiteralAddress(new URL(url).hostname)).toBe(address);
});
