import { describe, expect, test } from 'vitest';
import { readConfig } from '../config/env.js';
import type { LoginFault } from '../database/login-faults.queries.js';
import { startRemarks } from './start-remarks.js';

const own = { DATABASE_URL: 'postgres://cent:S3cret@db/books' };
const superuser: LoginFault = { login: 'postgres', kind: 'above_policies', text: 'is a superuser' };
const owner: LoginFault = { login: 'cent', kind: 'owner', text: 'owns tables of Centavo or the database' };
const told = (env: Record<string, string>, start: { loginFaults?: readonly LoginFault[]; hasDemo?: boolean } = {}) =>
  startRemarks({
    config: readConfig(env, '/data'),
    loginFaults: start.loginFaults ?? [],
    hasDemo: start.hasDemo === true,
  });

describe('before its welcome a start says', () => {
  test('nothing, where there is nothing to say', () => {
    expect(told({})).toEqual([]);
    expect(told(own)).toEqual([]);
    expect(told({ DEMO: 'on' }, { hasDemo: true })).toEqual([]);
  });

  test('that DEMO=on came too late, and how to have it without deleting anything', () => {
    const [remark, ...others] = told({ DEMO: 'on' });
    expect(others).toEqual([]);
    expect(remark).toMatch(/^DEMO=on is left aside: .* Set DATA_DIR to another folder/);
    expect(remark).not.toMatch(/delete/i);
  });

  test('that DEMO=on and DATABASE_URL exclude each other', () => {
    expect(told({ DEMO: 'on', ...own })).toEqual([
      'DEMO=on is left aside: it is for the embedded database, and DATABASE_URL is set. Unset one of the two.',
    ]);
  });

  test('that the login is a superuser, what that risks, and how to serve without one', () => {
    expect(told(own, { loginFaults: [superuser] })).toEqual([
      'The server logs in as postgres, which is a superuser. A statement injected into a request could read the data of ' +
        'every tracker, and a superuser also the files of that machine. Serve with a login that has no rights of its own: ' +
        'set DATABASE_URL (and DATABASE_REPLICA_URL) to it, and DATABASE_OWNER_URL to the owner of the tables. ' +
        'docs/operations.md shows the SQL.',
    ]);
  });

  test('that the login owns the tables, in one milder sentence, and nothing of smaller rights', () => {
    const createsRoles: LoginFault = { login: 'cent', kind: 'other', text: 'may create roles' };
    expect(told(own, { loginFaults: [createsRoles, owner] })).toEqual([
      'The server logs in as cent, which owns the tables and so could change their policies. It is safer to serve with a ' +
        'login of its own in DATABASE_URL and to set DATABASE_OWNER_URL to cent; docs/operations.md shows the SQL.',
    ]);
    expect(told(own, { loginFaults: [createsRoles] })).toEqual([]);
  });

  test('once for each login, so that a superuser on the replica is named too', () => {
    const remarks = told(own, { loginFaults: [owner, superuser] });
    expect(remarks.map((remark) => /as (\w+),/.exec(remark)?.[1])).toEqual(['cent', 'postgres']);
  });

  test('what the configuration warns of', () => {
    const config = { demo: false, databaseUrl: null, warnings: ['The certificate expired.'] };
    expect(startRemarks({ config, loginFaults: [], hasDemo: false })).toEqual(['The certificate expired.']);
  });
});
