import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { migrate } from '../database/migrate.js';
import { argon2id } from './password-hashing.js';
import { type IdentityBench, openIdentity } from './test-support/open-identity.js';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const password = 'correct horse battery';

let database: TestDatabase;
let bench: IdentityBench | undefined;

beforeEach(async () => {
  // Where lower() knows ASCII alone, and cannot agree with JavaScript.
  database = await createTestDatabase({ empty: true, locale: 'C' });
});
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

const register = (email: string) => bench?.call('createUser', { body: { email, password } });
const logIn = async (email: string, attempt = password) =>
  (await bench?.call('createSession', { body: { email, password: attempt } }))?.status;

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
  ])('%s belongs to one user in every spelling: %s', async (email, other) => {
    const registered = await register(email);
    expect(registered?.status).toBe(201);
    expect((await register(other))?.body.error.details).toEqual({ reason: 'email_taken' });
    expect(await logIn(other)).toBe(201);
    const found = await bench?.rows(`select app.find_user_by_email('${other}') as id`);
    expect(found).toEqual([{ id: registered?.body.data.userId }]);
  });
});

test('users whose addresses were told apart before stay, and each logs in with their own spelling', async () => {
  await migrateBefore('0026');
  const client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  const add = async (email: string, ownPassword: string, createdAt: string) => {
    const id = randomUUID();
    await client.query(
      `insert into app.users (id, issuer, subject, email, created_at) values ($1, 'urn:centavo:identity', $2, $3, $4)`,
      [id, id, email, createdAt],
    );
    const hash = await argon2id.hash(ownPassword);
    await client.query('insert into identity.passwords (user_id, password_hash) values ($1, $2)', [id, hash]);
    return id;
  };
  const ids = [
    await add('Äna@example.org', 'the password of the younger', '2026-02-01'),
    await add('äna@example.org', 'the password of the older', '2026-01-01'),
    await add('BOB@example.org', 'the password of another', '2026-01-01'),
  ];
  await client.end();

  await migrate({ connectionString: database.connectionString, directory: migrations });
  bench = openIdentity(database);
  expect((await bench.rows('select id from app.users')).map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(await logIn('äna@example.org', 'the password of the older')).toBe(201);
  expect(await logIn('ÄNA@example.org', 'the password of the older')).toBe(201);
  expect(await logIn('Äna@example.org', 'the password of the younger')).toBe(201);
  expect(await logIn('Äna@example.org', 'the password of the older')).toBe(401);
  expect(await logIn('bob@example.org', 'the password of another')).toBe(201);
  expect((await register('ÄNA@example.org'))?.body.error.details).toEqual({ reason: 'email_taken' });
});
