import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.js';
import { startRemarks } from './start-remarks.js';

const own = { DATABASE_URL: 'postgres://cent:S3cret@db/books' };
const told = (env: Record<string, string>, start: { superuser?: string; hasDemo?: boolean } = {}) =>
  startRemarks({
    config: readConfig(env, '/data'),
    superuser: start.superuser ?? null,
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

  test('that DATABASE_URL logs in as a superuser, which the embedded PostgreSQL’s own user may be', () => {
    expect(told(own, { superuser: 'postgres' })).toEqual([
      expect.stringMatching(/^DATABASE_URL logs in as postgres, who stands above row-level security/),
    ]);
    expect(told({}, { superuser: 'centavo' })).toEqual([]);
  });

  test('what the configuration warns of', () => {
    const config = { demo: false, databaseUrl: null, warnings: ['The certificate expired.'] };
    expect(startRemarks({ config, superuser: null, hasDemo: false })).toEqual(['The certificate expired.']);
  });
});
