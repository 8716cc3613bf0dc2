import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/env.js';
import type { ExcessRight } from '../database/checks/start-checks.queries.js';
import { startupMessage, startupWarnings } from './startup-messages.js';

const externalDatabase = { DATABASE_URL: 'postgres://cent:S3cret@db/books' };
const superuser: ExcessRight = { login: 'postgres', kind: 'bypasses_policies', text: 'is a superuser' };
const owner: ExcessRight = {
  login: 'cent',
  kind: 'owner',
  text: 'owns the database or tables of Centavo, or may become their owner',
};
const warnings = (
  env: Record<string, string>,
  start: { excessRights?: readonly ExcessRight[]; hasDemo?: boolean } = {},
) =>
  startupWarnings({
    config: readConfig(env, '/data'),
    excessRights: start.excessRights ?? [],
    hasDemo: start.hasDemo === true,
  });

describe('the startup warnings', () => {
  test('are empty for a configuration without problems', () => {
    expect(warnings({})).toEqual([]);
    expect(warnings(externalDatabase)).toEqual([]);
    expect(warnings({ DEMO: 'on' }, { hasDemo: true })).toEqual([]);
  });

  test('explain that DEMO=on has no effect on a database with users, and how to get a demo without deleting data', () => {
    const [warning, ...others] = warnings({ DEMO: 'on' });
    expect(others).toEqual([]);
    expect(warning).toMatch(/^DEMO=on is ignored, because .* Set DATA_DIR to another directory/);
    expect(warning).not.toMatch(/delete/i);
  });

  test('explain that DEMO=on and DATABASE_URL exclude each other', () => {
    expect(warnings({ DEMO: 'on', ...externalDatabase })).toEqual([
      'DEMO=on is ignored, because it needs the embedded database, but DATABASE_URL is set. Unset one of the two.',
    ]);
  });

  test('name a login that is a superuser, and explain the risk and the remedy', () => {
    expect(warnings(externalDatabase, { excessRights: [superuser] })).toEqual([
      'The server logs in as postgres, which is a superuser. A statement injected into a request could read the data of ' +
        'every tracker. A superuser could also read the files of the database server. Serve with a login without extra rights: ' +
        'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
        'docs/operations.md shows the SQL.',
    ]);
  });

  test('name a login that owns the tables, and do not mention lesser rights such as creating roles', () => {
    const createsRoles: ExcessRight = { login: 'cent', kind: 'other', text: 'may create roles' };
    expect(warnings(externalDatabase, { excessRights: [createsRoles, owner] })).toEqual([
      'The server logs in as cent, which owns the tables and could change their policies. It is safer to use another ' +
        'login in DATABASE_URL and to set DATABASE_OWNER_URL to cent. docs/operations.md shows the SQL.',
    ]);
    expect(warnings(externalDatabase, { excessRights: [createsRoles] })).toEqual([]);
  });

  test('name two logins in separate warnings if one owns the tables and the other is a superuser', () => {
    const found = warnings(externalDatabase, { excessRights: [owner, superuser] });
    expect(found.map((warning) => /as (\w+),/.exec(warning)?.[1])).toEqual(['cent', 'postgres']);
  });

  test('include the warnings of the configuration', () => {
    const config = { demo: false, databaseUrl: null, warnings: ['The certificate expired.'] };
    expect(startupWarnings({ config, excessRights: [], hasDemo: false })).toEqual(['The certificate expired.']);
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
const checkout = { cliCommand: 'node apps/cli/dist/main.js', sampleStatement: 'examples/household-2026.csv' };
const installed = { cliCommand: 'centavo', sampleStatement: '/lib/server/household-2026.csv' };
const message = (env: Record<string, string>, { withDemo = false, hasUsers = false, installation = checkout } = {}) =>
  startupMessage({
    ...{ origin, hasUsers, installation },
    demo: withDemo ? demo : undefined,
    config: readConfig(env, '/data'),
  });

describe('the startup message', () => {
  test('shows how to register and log in if registration is open', () => {
    expect(message({})).toMatch(/ register --email [\s\S]*v1\/identity\/users[\s\S]* login --email \S+\n$/);
  });

  test('shows first how to log in, and then how to register, if users exist', () => {
    expect(message({}, { hasUsers: true })).toMatch(/Log in[\s\S]* login --email [\s\S]* register --email \S+\n$/);
  });

  test('shows how to log in, and not how to register, if registration is closed', () => {
    const text = message({ REGISTRATION: 'closed' });
    expect(text).toContain('REGISTRATION=closed');
    expect(text).toContain(' login --email');
    expect(text).not.toMatch(/v1\/identity\/users| register --email/);
  });

  test('shows how to use an access token of the external issuer', () => {
    const text = message(issuer);
    expect(text).toContain('https://id.example.org (IDENTITY_ISSUER)');
    expect(text).toContain('export CENTAVO_TOKEN=');
    expect(text).not.toMatch(/v1\/identity|login --email|S3cret/);
  });

  test.each(['open', 'closed'])(
    'shows how to use the demo, and not how to register, if there is a demo (registration: %s)',
    (REGISTRATION) => {
      const text = message({ REGISTRATION }, { withDemo: true });
      expect(text).toContain('export CENTAVO_TOKEN=centavo_live_x');
      expect(text).not.toContain('/v1/identity/users');
    },
  );

  test('shows the data directory only if DATABASE_URL is not set', () => {
    expect(message({})).toContain('The data is in /data (DATA_DIR).');
    expect(message({ DATA_DIR: '/srv/books' })).toContain('The data is in /srv/books (DATA_DIR).');
    expect(message(externalDatabase)).not.toContain('DATA_DIR');
  });

  test('shows commands that work in the root of a checkout', () => {
    expect(message({}, { withDemo: true })).toContain(
      '  node apps/cli/dist/main.js import examples/household-2026.csv --create-categories --yes\n',
    );
    expect(message({})).not.toContain('npm install');
  });

  test('shows commands that work in every directory for an installed package, and how to install the CLI', () => {
    const text = message({}, { withDemo: true, installation: installed });
    expect(text).toContain('  centavo import /lib/server/household-2026.csv --create-categories --yes\n');
    expect(text).toContain('npm install -g @centavo/cli');
    expect(text).not.toContain('in this directory');
    expect(message({}, { installation: installed })).toContain(`  centavo --base-url ${origin}/v1/financial register `);
  });
});
