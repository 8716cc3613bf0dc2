import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { migrate } from '../../database/migrate/migrate.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const password = 'correct horse battery';

let database: TestDatabase;
let bench: TestIdentity | undefined;

beforeEach(async () => {
  // In this locale, lower() of PostgreSQL changes only ASCII letters, unlike toLowerCase() of JavaScript.
  database = await createTestDatabase({ empty: true, locale: 'C' });
});
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const register = (email: string) => bench?.call('createUser', { body: { email, password } });
const logIn = async (email: string) => (await bench?.call('createSession', { body: { email, password } }))?.status;

describe('an e-mail address in a database whose locale is C', () => {
  beforeEach(async () => {
    await migrate({ connectionString: database.connectionString, directory: migrations });
    bench = openIdentity(database);
  });

  test.each([
    ['äna@example.org', 'ÄNA@Example.ORG'],
    ['info@example.org', 'INFO@example.org'],
    ['jos\u00e9@example.org', 'JOSE\u0301@example.org'],
    ['ж@почта.рф', 'Ж@ПОЧТА.РФ'],
    // @proves contract 10a: E-mail of the embedded provider
  ])('is equal to the same address in another letter case or Unicode form: %s and %s', async (email, other) => {
    const registered = await register(email);
    expect(registered?.status).toBe(201);
    expect((await register(other))?.body.error.details).toEqual({ reason: 'email_taken' });
    expect(await logIn(other)).toBe(201);
    const found = await bench?.rows(`select app.find_user_by_email('${other}') as id`);
    expect(found).toEqual([{ id: registered?.body.data.userId }]);
  });
});
