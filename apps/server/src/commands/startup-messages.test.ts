import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/env.js';
import { welcome } from './startup-messages.js';

const origin = 'http://127.0.0.1:8080';
const issuer = {
  IDENTITY_ISSUER: 'https://id.example.org',
  IDENTITY_JWKS_URL: 'https://id.example.org/jwks',
  IDENTITY_AUDIENCE: 'centavo',
  IDENTITY_INTROSPECTION_URL: 'https://id.example.org/introspect',
  IDENTITY_CLIENT_ID: 'centavo',
  IDENTITY_CLIENT_SECRET: 'S3cret',
};
const demo = {
  email: 'demo@example.org',
  password: 'pw',
  totpSecret: 'TOTP',
  trackerId: 't',
  secret: 'centavo_live_x',
};
const told = (env: Record<string, string>, { withDemo = false, hasUsers = false } = {}) =>
  welcome({ origin, demo: withDemo ? demo : undefined, hasUsers, config: readConfig(env, '/data') });

describe('the welcome proposes only what this server does', () => {
  test('to register and log in, where users may register', () => {
    expect(told({})).toMatch(/ register --email [\s\S]*v1\/identity\/users[\s\S]* login --email \S+\n$/);
  });

  test('to log in first, where there are users already', () => {
    expect(told({}, { hasUsers: true })).toMatch(/To log in[\s\S]* login --email [\s\S]* register --email \S+\n$/);
  });

  test('to log in, where registration is closed', () => {
    const text = told({ REGISTRATION: 'closed' });
    expect(text).toContain('REGISTRATION=closed');
    expect(text).toContain(' login --email');
    expect(text).not.toMatch(/v1\/identity\/users| register --email/);
  });

  test('to bring an access token of the issuer, where there is one', () => {
    const text = told(issuer);
    expect(text).toContain('https://id.example.org (IDENTITY_ISSUER)');
    expect(text).toContain('export CENTAVO_TOKEN=');
    expect(text).not.toMatch(/v1\/identity|login --email|S3cret/);
  });

  test.each(['open', 'closed'])('to play with the demo, where there is one and registration is %s', (REGISTRATION) => {
    const text = told({ REGISTRATION }, { withDemo: true });
    expect(text).toContain('export CENTAVO_TOKEN=centavo_live_x');
    expect(text).not.toContain('/v1/identity/users');
  });
});
