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
  // @proves contract 8: Identity
  test('returns no issuer and no problem when no variable is set', () => {
    expect(readExternalIssuer({})).toEqual({ issuer: null, problems: [] });
    expect(readConfig({}, '/data').externalIssuer).toBeNull();
  });

  // @proves contract 8: Identity
  test('returns the values of all variables unchanged', () => {
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

  test('reports every missing variable that the issuer needs', () => {
    expect(readExternalIssuer({ IDENTITY_ISSUER: complete.IDENTITY_ISSUER }).problems).toEqual([
      'IDENTITY_JWKS_URL is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_AUDIENCE is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_INTROSPECTION_URL is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_CLIENT_ID is missing: IDENTITY_ISSUER needs it',
      'IDENTITY_CLIENT_SECRET is missing: IDENTITY_ISSUER needs it',
    ]);
  });

  test('reports every IDENTITY_* variable that is set without IDENTITY_ISSUER', () => {
    expect(readExternalIssuer({ ...complete, IDENTITY_ISSUER: undefined }).problems).toHaveLength(5);
    expect(readExternalIssuer({ IDENTITY_AUDIENCE: 'me' }).problems).toEqual([
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
  ])('rejects the URL %s, and redacts it', (url) => {
    for (const name of ['IDENTITY_ISSUER', 'IDENTITY_JWKS_URL', 'IDENTITY_INTROSPECTION_URL']) {
      const { problems } = readExternalIssuer({ ...complete, [name]: url });
      expect(problems).toEqual([expect.stringMatching(`^${name} must be an https:// URL`)]);
      expect(problems.join()).not.toContain('hunter2');
    }
  });

  test.each(['http://localhost:8081/certs', 'http://127.0.0.1:8081/certs', 'http://[::1]:8081/certs'])(
    'accepts http:// to loopback: %s',
    (url) => {
      expect(readExternalIssuer({ ...complete, IDENTITY_JWKS_URL: url }).problems).toEqual([]);
    },
  );

  test('rejects DEMO=on, because the demo user belongs to the embedded provider', () => {
    expect(readExternalIssuer({ ...complete, DEMO: 'on' }).problems).toEqual([
      'DEMO=on needs the embedded identity provider: unset IDENTITY_ISSUER',
    ]);
  });

  test('reports problems of the external issuer together with those of other settings', () => {
    const env = { IDENTITY_ISSUER: 'http://id.example.org', PORT: 'x' };
    expect(() => readConfig(env, '/data')).toThrow(
      /PORT is "x"[\s\S]*IDENTITY_JWKS_URL is missing[\s\S]*IDENTITY_ISSUER must be an https/,
    );
  });
});
