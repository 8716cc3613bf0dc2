import { describe, expect, test } from 'vitest';
import { thrownApiError } from '../../../test-support/thrown-api-error.js';
import { parseExternalClaims } from './parse-external-claims.js';

const issuer = 'https://id.example.org';
const payload = { sub: 'auth0|5f7c', sid: 'one' };
const parse = (claims: Record<string, unknown> = {}) => parseExternalClaims({ ...payload, ...claims }, issuer);

describe('parseExternalClaims', () => {
  test('reads subject, session, one-time code and profile', () => {
    const claims = {
      amr: ['pwd', 'otp'],
      auth_time: 100,
      email: 'Ana@Example.org',
      email_verified: true,
      name: ' Ana ',
    };
    expect(parse(claims)).toEqual({
      issuer,
      subject: 'auth0|5f7c',
      sessionId: 'one',
      totpAtSeconds: 100,
      profile: { email: 'Ana@Example.org', displayName: 'Ana' },
    });
  });

  test('session_id goes before sid', () => {
    expect(parse({ session_id: 'two' }).sessionId).toBe('two');
  });

  test.each([
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
    ['a subject of 256 characters', { sub: 'x'.repeat(256) }],
    ['a subject that is a number', { sub: 7 }],
    ['a subject that PostgreSQL cannot hold', { sub: 'a\u0000' }],
    ['a subject with half a surrogate pair', { sub: 'a\ud800' }],
    ['no session', { sid: undefined }],
    ['a session that is a list', { sid: ['one'] }],
    ['a session_id that is malformed, whatever sid is', { session_id: null }],
    ['a security event', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }],
  ])('%s is refused', (_, claims) => {
    expect(thrownApiError(() => parse(claims))).toMatchObject({ code: 'CREDENTIAL_INVALID', status: 401 });
  });

  test('a subject may be any 255 characters', () => {
    const sub = "' or true -- ñ".padEnd(255, 'x');
    expect(parse({ sub }).subject).toBe(sub);
  });

  test.each([
    ['an address that is not verified', { email: 'ana@example.org', email_verified: false }],
    ['an address of which nothing is said', { email: 'ana@example.org' }],
    ['an address that is verified in text', { email: 'ana@example.org', email_verified: 'true' }],
    ['a malformed address', { email: 'ana', email_verified: true }],
    ['no address', { email_verified: true }],
  ])('%s counts as none', (_, claims) => {
    expect(parse(claims).profile?.email).toBeNull();
  });

  test.each([[undefined], [null], [7], [''], ['  '], ['a\nb'], ['x'.repeat(101)]])(
    'the name %j counts as none',
    (name) => {
      expect(parse({ name }).profile?.displayName).toBeNull();
    },
  );
});
