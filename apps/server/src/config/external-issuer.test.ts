import { describe, expect, test } from 'vitest';
import { readConfig } from './env.js';
import { readExternalIssuer } from './external-issuer.js';

const complete = {
  IDENTITY_ISSUER: 'https://id.example.org/realms/home',
  IDENTITY_JWKS_URL: 'https://id.example.org/realms/home/certs',
  IDENTITY_AUDIENCE: 'https://api.example.org',
  IDENTITY_INTROSPECTION_URL: 'https://id.example.org/realms/home/introspect',
  IDENTITY_CLIENT_ID: 'centavo',
  IDENTITY_CLIENT_SECRET: 'a secret',
};

describe('readExternalIssuer', () => {
  test('without any variable there is no external issuer, and nothing is wrong', () => {
    expect(readExternalIssuer({})).toEqual({ issuer: null, mistakes: [] });
    expect(readConfig({}, '/data').externalIssuer).toBeNull();
  });

  test('takes what the operator says, the issuer to the letter', () => {
    expect(readConfig(complete, '/data').externalIssuer).toEqual({
      issuer: 'https://id.example.org/realms/home',
      jwksUrl: 'https://id.example.org/realms/home/certs',
      audience: 'https://api.example.org',
      introspection: {
        url: 'https://id.example.org/realms/home/introspect',
        clientId: 'centavo',
        clientSecret: 'a secret',
      },
    });
  });

  test('names every variable that the issuer needs and that is missing', () => {
    expect(readExternalIssuer({ IDENTITY_ISSUER: complete.IDENTITY_ISSUER }).mistakes).toEqual([
      'IDENTITY_JWKS_URL is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_AUDIENCE is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_INTROSPECTION_URL is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_CLIENT_ID is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_CLIENT_SECRET is missing: IDENTITY_ISSUER needs it',
    ]);
  });

  test('refuses what is set for nothing: it would leave the embedded provider in place', () => {
    expect(readExternalIssuer({ ...complete, IDENTITY_ISSUER: undefined }).mistakes).toHaveLength(5);
    expect(readExternalIssuer({ IDENTITY_AUDIENCE: 'me' }).mistakes).toEqual([
      'IDENTITY_AUDIENCE is set without IDENTITY_ISSUER',
    ]);
  });

  test.each([
    'http://id.example.org/certs',
    'id.example.org/certs',
    'ftp://id.example.org/certs',
    'https://user:hunter2@id.example.org/certs',
    'https://id.example.org/certs#first',
    'http://127.0.0.1.example.org/certs',
  ])('refuses the address %s, and does not repeat it', (address) => {
    for (const name of ['IDENTITY_ISSUER', 'IDENTITY_JWKS_URL', 'IDENTITY_INTROSPECTION_URL']) {
      const { mistakes } = readExternalIssuer({ ...complete, [name]: address });
      expect(mistakes).toEqual([expect.stringMatching(`^${name} is not an https:// address`)]);
      expect(mistakes.join()).not.toContain('hunter2');
    }
  });

  test.each(['http://localhost:8081/certs', 'http://127.0.0.1:8081/certs', 'http://[::1]:8081/certs'])(
    'takes http:// to loopback: %s',
    (address) => {
      expect(readExternalIssuer({ ...complete, IDENTITY_JWKS_URL: address }).mistakes).toEqual([]);
    },
  );

  test('refuses the demo, whose user would be the embedded provider’s', () => {
    expect(readExternalIssuer({ ...complete, DEMO: 'on' }).mistakes).toEqual([
      'DEMO=on needs the embedded identity provider: unset IDENTITY_ISSUER',
    ]);
  });

  test('is told together with every other mistake', () => {
    const env = { IDENTITY_ISSUER: 'http://id.example.org', PORT: 'x' };
    expect(() => readConfig(env, '/data')).toThrow(
      /PORT is "x"[\s\S]*IDENTITY_JWKS_URL is missing[\s\S]*IDENTITY_ISSUER is not/,
    );
  });
});
