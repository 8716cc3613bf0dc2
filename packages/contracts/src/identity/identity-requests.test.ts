import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../test-support/issues-of.js';
import { addMemberBody } from '../context/context-requests.js';
import { createSessionBody, createUserBody, refreshSessionBody, totpCodeBody } from './identity-requests.js';

const user = { email: 'ana@example.org', password: 'correct horse' };

describe('POST /users', () => {
  test.each([
    [{}, []],
    [{ displayName: 'Ana' }, []],
    [{ displayName: null }, []],
    [{ password: 'x'.repeat(12) }, []],
    [{ password: '😀'.repeat(128) }, []],
    [{ password: 'x'.repeat(11) }, ['password OUT_OF_RANGE']],
    [{ password: 'x'.repeat(129) }, ['password TOO_LONG']],
    [{ password: undefined }, ['password REQUIRED']],
    [{ password: 'x'.repeat(12) + String.fromCharCode(0xd800) }, ['password INVALID_FORMAT']],
    [{ email: 'ana' }, ['email INVALID_FORMAT']],
    [{ email: undefined }, ['email REQUIRED']],
    [{ displayName: 'a\nb' }, ['displayName INVALID_FORMAT']],
    [{ displayName: 'a\u200bb' }, ['displayName INVALID_FORMAT']],
    [{ role: 'owner' }, ['role UNKNOWN_FIELD']],
  ])('validates the required fields together with %j, and reports exactly the issues %j', (fields, issues) => {
    expect(issuesOf(createUserBody, { ...user, ...fields })).toEqual(issues);
  });

  test.each(['\u0000', '\u00ad', '\u034f', '\u200b', '\u200d', '\u202e', '\u2066', '\u3164', '\u{e0041}'])(
    'refuses an e-mail address with the character %j',
    (char) => {
      expect(issuesOf(createUserBody, { ...user, email: `bo${char}ss@example.org` })).toEqual(['email INVALID_FORMAT']);
    },
  );

  test('normalises an e-mail address to NFC without changing its case', () => {
    const decomposed = 'Jose\u0301@example.org';
    for (const body of [createUserBody, createSessionBody]) {
      expect(body.parse({ ...user, email: decomposed }).email).toBe('Jos\u00e9@example.org');
    }
    expect(addMemberBody.parse({ email: decomposed, role: 'editor' }).email).toBe('Jos\u00e9@example.org');
  });

  test('names the forbidden character of an e-mail address in the message of the issue', () => {
    const [issue] = createUserBody.safeParse({ ...user, email: 'bo\u200bss@example.org' }).error?.issues ?? [];
    expect(issue?.message).toContain('Remove U+200B from email: ');
  });

  // @proves contract 8: POST /users
  test('does not change the spaces around and inside a password', () => {
    expect(createUserBody.parse({ ...user, password: '  two spaces  ' }).password).toBe('  two spaces  ');
  });
});

describe('POST /sessions', () => {
  test('accepts an empty password, and rejects a password of more than 1024 characters', () => {
    expect(issuesOf(createSessionBody, { ...user, password: '' })).toEqual([]);
    expect(issuesOf(createSessionBody, { ...user, password: 'x'.repeat(1024) })).toEqual([]);
    expect(issuesOf(createSessionBody, { ...user, password: 'x'.repeat(1025) })).toEqual(['password TOO_LONG']);
  });

  test('requires the e-mail address and the password', () => {
    expect(issuesOf(createSessionBody, {})).toEqual(['email REQUIRED', 'password REQUIRED']);
  });
});

test('POST /sessions/refresh requires a refresh token of at most 1024 characters', () => {
  expect(issuesOf(refreshSessionBody, { refreshToken: 'abc' })).toEqual([]);
  expect(issuesOf(refreshSessionBody, {})).toEqual(['refreshToken REQUIRED']);
  expect(issuesOf(refreshSessionBody, { refreshToken: 'x'.repeat(1025) })).toEqual(['refreshToken TOO_LONG']);
});

describe('the field for a one-time code', () => {
  test.each(['000000', '123456'])('accepts %s', (code) => {
    expect(issuesOf(totpCodeBody, { code })).toEqual([]);
  });

  test.each(['12345', '1234567', '12345a', ' 123456', '123 456', '１２３４５６', 123_456])('rejects %j', (code) => {
    expect(issuesOf(totpCodeBody, { code })).toEqual(['code INVALID_FORMAT']);
  });
});
