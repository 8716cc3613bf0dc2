import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import { findUrlIssue } from './endpoint-url.js';

const strict = { allowsHttp: false, networks: [] };
const open = { allowsHttp: true, networks: [ipaddr.parseCIDR('127.0.0.0/8')] };

it.each([
  'https://example.org/hook',
  'https://example.org:8443/hook',
  'https://example.org:1024/',
  'https://localhost/',
  'https://1.1.1.1/',
])('findUrlIssue accepts %s', (url) => {
  expect(findUrlIssue(url, strict)).toBeUndefined();
});

it.each([
  ['http://example.org/', 'INVALID_FORMAT'],
  ['https://example.org:80/', 'OUT_OF_RANGE'],
  ['https://example.org:1023/', 'OUT_OF_RANGE'],
  ['https://example.org:22/', 'OUT_OF_RANGE'],
  ['https://127.0.0.1/', 'ADDRESS_NOT_ALLOWED'],
  ['https://2130706433:8443/', 'ADDRESS_NOT_ALLOWED'],
  ['https://[::ffff:10.0.0.1]/', 'ADDRESS_NOT_ALLOWED'],
  ['https://169.254.169.254/latest/meta-data', 'ADDRESS_NOT_ALLOWED'],
])('findUrlIssue rejects %s with the issue %s', (url, code) => {
  expect(findUrlIssue(url, strict)?.code).toBe(code);
});

it.each(['http://example.org/', 'http://127.0.0.1:9000/hook', 'https://example.org:80/'])(
  'findUrlIssue accepts %s if http and 127.0.0.0/8 are allowed',
  (url) => {
    expect(findUrlIssue(url, open)).toBeUndefined();
  },
);

it.each([
  ['http://10.0.0.1/', 'ADDRESS_NOT_ALLOWED'],
  ['http://[::1]:9000/', 'ADDRESS_NOT_ALLOWED'],
  ['http://example.org:81/', 'OUT_OF_RANGE'],
])('findUrlIssue rejects %s with the issue %s if http and 127.0.0.0/8 are allowed', (url, code) => {
  expect(findUrlIssue(url, open)?.code).toBe(code);
});
