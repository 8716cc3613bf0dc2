import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/env.js';
import type { LoginFault } from '../database/login-faults.queries.js';
import { startRemarks, welcome } from './startup-messages.js';

const own = { DATABASE_URL: 'postgres://cent:S3cret@db/books' };
const superuser: LoginFault = { login: 'postgres', kind: 'above_policies', text: 'is a superuser' };
const owner: LoginFault = { login: 'cent', kind: 'owner', text: 'owns tables of Centavo or the database' };
const warnings = (
  env: Record<string, string>,
  start: { loginFaults?: readonly LoginFault[]; hasDemo?: boolean } = {},
) =>
  startRemarks({
    config: readConfig(env, '/data'),
    loginFaults: start.loginFaults ?? [],
    hasDemo: start.hasDemo === true,
  });

describe('before its welcome a start says', () => {
  test('nothing, where there is nothing to say', () => {
    expect(warnings({})).toEqual([]);
    expect(warnings(own)).toEqual([]);
    expect(warnings({ DEMO: 'on' }, { hasDemo: true })).toEqual([]);
  });

  test('that DEMO=on came too late, and how to have it without deleting anything', () => {
    const [remark, ...others] = warnings({ DEMO: 'on' });
    expect(others).toEqual([]);
    expect(remark).toMatch(/^DEMO=on is left aside: .* Set DATA_DIR to another folder/);
    expect(remark).not.toMatch(/delete/i);
  });

  test('that DEMO=on and DATABASE_URL exclude each other', () => {
    expect(warnings({ DEMO: 'on', ...own })).toEqual([
      'DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two.',
    ]);
  });

  test('that the login is a superuser, what that risks, and how to serve without one', () => {
    expect(warnings(own, { loginFaults: [superuser] })).toEqual([
      'The server logs in as postgres, which is a superuser. A statement injected into a request could read the data of ' +
        'every tracker, and a superuser also the files of that machine. Serve with a login that has no rights of its own: ' +
        'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
        'docs/operations.md shows the SQL.',
    ]);
  });

  test('that the login owns the tables, in one milder sentence, and nothing of smaller rights', () => {
    const createsRoles: LoginFault = { login: 'cent', kind: 'other', text: 'may create roles' };
    expect(warnings(own, { loginFaults: [createsRoles, owner] })).toEqual([
      'The server logs in as cent, which owns the tables and so could change their policies. It is safer to serve with a ' +
        'login of its own in DATABASE_URL and to set DATABASE_OWNER_URL to cent; docs/operations.md shows the SQL.',
    ]);
    expect(warnings(own, { loginFaults: [createsRoles] })).toEqual([]);
  });

  test('once for each login, so that a superuser on the replica is named too', () => {
    const remarks = warnings(own, { loginFaults: [owner, superuser] });
    expect(remarks.map((remark) => /as (\w+),/.exec(remark)?.[1])).toEqual(['cent', 'postgres']);
  });

  test('what the configuration warns of', () => {
    const config = { demo: false, databaseUrl: null, warnings: ['The certificate expired.'] };
    expect(startRemarks({ config, loginFaults: [], hasDemo: false })).toEqual(['The certificate expired.']);
  });
});

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
const message = (env: Record<string, string>, { withDemo = false, hasUsers = false } = {}) =>
  welcome({ origin, demo: withDemo ? demo : undefined, hasUsers, config: readConfig(env, '/data') });

describe('the welcome proposes only what this server does', () => {
  test('to register and log in, where users may register', () => {
    expect(message({})).toMatch(/ register --email [\s\S]*v1\/identity\/users[\s\S]* login --email \S+\n$/);
  });

  test('to log in first, where there are users already', () => {
    expect(message({}, { hasUsers: true })).toMatch(/To log in[\s\S]* login --email [\s\S]* register --email \S+\n$/);
  });

  test('to log in, where registration is closed', () => {
    const text = message({ REGISTRATION: 'closed' });
    expect(text).toContain('REGISTRATION=closed');
    expect(text).toContain(' login --email');
    expect(text).not.toMatch(/v1\/identity\/users| register --email/);
  });

  test('to bring an access token of the issuer, where there is one', () => {
    const text = message(issuer);
    expect(text).toContain('https://id.example.org (IDENTITY_ISSUER)');
    expect(text).toContain('export CENTAVO_TOKEN=');
    expect(text).not.toMatch(/v1\/identity|login --email|S3cret/);
  });

  test.each(['open', 'closed'])('to play with the demo, where there is one and registration is %s', (REGISTRATION) => {
    const text = message({ REGISTRATION }, { withDemo: true });
    expect(text).toContain('export CENTAVO_TOKEN=centavo_live_x');
    expect(text).not.toContain('/v1/identity/users');
  });
});
