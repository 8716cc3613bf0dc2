import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { migrate } from '../../database/migrate/migrate.js';
import { openIdentity, type TestIdentity } from '../test-support/open-identity.js';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const password = 'correct horse battery';

let database: TestDatabase;
let bench: TestIdentity | undefined;

beforeEach(async () => {
  // In this locale lower() changes only ASCII letters, unlike JavaScript.
  database = await createTestDatabase({ empty: true, locale: 'C' });
});
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const register = (email: string) => bench?.call('createUser', { body: { email, password } });
const logIn = async (email: string) => (await bench?.call('createSession', { body: { email, password } }))?.status;

/** Applies the migrations whose names come before `end`. */
async function migrateBefore(end: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'centavo-test-earlier-'));
  try {
    const names = (await readdir(migrations)).filter((name) => name < end);
    for (const name of names) await copyFile(join(migrations, name), join(directory, name));
    await migrate({ connectionString: database.connectionString, directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}

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
  ])('treats %s and %s as one address', async (email, other) => {
    const registered = await register(email);
    expect(registered?.status).toBe(201);
    expect((await register(other))?.body.error.details).toEqual({ reason: 'email_taken' });
    expect(await logIn(other)).toBe(201);
    const found = await bench?.rows(`select app.find_user_by_email('${other}') as id`);
    expect(found).toEqual([{ id: registered?.body.data.userId }]);
  });
});

test('refuses to migrate users with equal addresses, names them, and migrates after a change', async () => {
  await migrateBefore('0026');
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    const ids = [randomUUID(), randomUUID()];
    const add = `insert into app.users (id, issuer, subject, email, created_at) values (cast($1 as uuid), 'urn:centavo:identity', cast($1 as uuid)::text, $2, $3)`;
    await client.query(add, [ids[0], 'äna@example.org', '2026-01-01']);
    await client.query(add, [ids[1], 'Äna@example.org', '2026-02-01']);
    const migrateAll = () => migrate({ connectionString: database.connectionString, directory: migrations });
    await expect(migrateAll()).rejects.toThrow(ids.join(', '));
    await client.query(`update app.users set email = 'ana@example.org' where id = $1`, [ids[1]]);
    await migrateAll();
    const { rows } = await client.query('select email_key from app.users order by created_at');
    expect(rows).toEqual([{ email_key: 'äna@example.org' }, { email_key: 'ana@example.org' }]);
  } finally {
    await client.end();
  }
});
