import pg from 'pg';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { type EncryptionKey, toEncryptionKey } from '../config/encryption-keys.js';
import { openIdentity, type TestIdentity } from './test-support/open-identity.js';

const [older, newer] = [toEncryptionKey(Buffer.alloc(32, 1)), toEncryptionKey(Buffer.alloc(32, 2))];
const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function newDatabase(): Promise<TestDatabase> {
  const own = await createTestDatabase();
  open.push(() => own.drop());
  return own;
}

/** Starts the identity provider with the database `own` and these encryption keys. */
async function start(own: TestDatabase, encryptionKeys: readonly EncryptionKey[]): Promise<TestIdentity> {
  const bench = openIdentity({ connectionString: own.connectionString, drop: async () => {} }, { encryptionKeys });
  open.push(() => bench.close());
  await bench.identity.prepare();
  return bench;
}

/** Returns the rows of identity.totp and identity.signing_keys as JSON. */
async function tablesOf(bench: TestIdentity): Promise<string> {
  const [row] = await bench.rows(`select (select json_agg(t) from identity.totp t) as totp,
    (select json_agg(k) from identity.signing_keys k) as keys`);
  return JSON.stringify(row);
}

const verify = async (bench: TestIdentity, token: string, code: string) =>
  (await bench.call('verifyTotp', { token, body: { code } })).status;

describe('the identity provider with ENCRYPTION_KEY', () => {
  test('stores neither a TOTP secret nor the signing key as plain text, and accepts codes and tokens', async () => {
    const bench = await start(await newDatabase(), [newer]);
    const { accessToken } = await bench.logIn();
    const { body } = await bench.call('enrolTotp', { token: accessToken });
    const pending = body.data.secret;
    expect(await tablesOf(bench)).not.toContain(pending);
    const enrolled = await bench.enrol(accessToken);
    const tables = await tablesOf(bench);
    expect(tables).not.toContain(enrolled.secret);
    expect(tables).not.toContain('"d"');
    bench.advance(30);
    expect(await verify(bench, accessToken, await bench.codeOf(enrolled.secret))).toBe(200);
  });

  test('accepts a one-time code only once, and returns 429 after five failures', async () => {
    const bench = await start(await newDatabase(), [newer]);
    const { accessToken } = await bench.logIn();
    const { secret } = await bench.enrol(accessToken);
    bench.advance(30);
    const code = await bench.codeOf(secret);
    expect(await verify(bench, accessToken, code)).toBe(200);
    for (let attempt = 1; attempt <= 5; attempt += 1) expect(await verify(bench, accessToken, code)).toBe(401);
    expect(await verify(bench, accessToken, code)).toBe(429);
  });

  test('rejects a TOTP secret that was copied into the row of another user', async () => {
    const bench = await start(await newDatabase(), [newer]);
    const [ana, eve] = [await bench.logIn(), await bench.logIn()];
    const { secret } = await bench.enrol(ana.accessToken);
    await bench.enrol(eve.accessToken);
    await bench.rows(`update identity.totp set secret = (select max(secret) from identity.totp where user_id <> other.id)
      from (select id from app.users where email = '${eve.email}') other where user_id = other.id`);
    bench.advance(30);
    await expect(verify(bench, eve.accessToken, await bench.codeOf(secret))).rejects.toThrow('encrypted for another');
  });
});

describe('the identity provider without ENCRYPTION_KEY', () => {
  test('stores a signing key in the format that servers of the previous version read', async () => {
    const bench = await start(await newDatabase(), []);
    const [key] = await bench.rows(
      `select jsonb_typeof(private_jwk) as type, private_jwk ? 'd' as readable from identity.signing_keys`,
    );
    expect(key).toEqual({ type: 'object', readable: true });
  });
});

describe('a start of the identity provider', () => {
  test('encrypts plain-text secrets, and keeps sessions, authenticators and used one-time codes', async () => {
    const own = await newDatabase();
    const before = await start(own, []);
    const users = await Promise.all(Array.from({ length: 3 }, () => before.logIn()));
    const secrets: string[] = [];
    for (const { accessToken } of users) secrets.push((await before.enrol(accessToken)).secret);
    const [ana] = users as [(typeof users)[0]];
    const waiting = await before.logIn();
    const pending = (await before.call('enrolTotp', { token: waiting.accessToken })).body.data.secret;

    const after = await start(own, [newer]);
    const tables = await tablesOf(after);
    for (const secret of [...secrets, pending, '"d"']) expect(tables).not.toContain(secret);
    const [secret = ''] = secrets;
    // The code that confirmed the secret still counts as used. The codes of the time steps before and after it are unused.
    expect(await verify(after, ana.accessToken, await after.codeOf(secret))).toBe(401);
    expect(await verify(after, ana.accessToken, await after.codeOf(secret, -1))).toBe(200);
    expect(await verify(after, ana.accessToken, await after.codeOf(secret, 1))).toBe(200);
    const confirmed = await after.call('confirmTotp', {
      token: waiting.accessToken,
      body: { code: await after.codeOf(pending) },
    });
    expect(confirmed.status).toBe(200);
  });

  test('re-encrypts secrets with the first key of ENCRYPTION_KEY, so that the other keys are no longer needed', async () => {
    const own = await newDatabase();
    const before = await start(own, [older]);
    const { accessToken } = await before.logIn();
    const { secret } = await before.enrol(accessToken);
    await start(own, [newer, older]);
    const after = await start(own, [newer]);
    expect(await verify(after, accessToken, await after.codeOf(secret, 1))).toBe(200);
  });

  test('encrypts the secrets of all 3,001 authenticators when six servers start at once', async () => {
    const own = await newDatabase();
    const before = await start(own, []);
    await before.rows(`with people as (
        insert into app.users (id, issuer, subject) select gen_random_uuid(), 'urn:centavo:identity', 'user ' || n
        from generate_series(1, 3001) n returning id)
      insert into identity.totp (user_id, secret) select id, 'JBSWY3DPEHPK3PXP' from people`);
    await Promise.all(Array.from({ length: 6 }, () => start(own, [newer])));
    expect(await tablesOf(before)).not.toContain('JBSWY3DPEHPK3PXP');
    const [row] = await before.rows(`select count(*)::integer as count, count(distinct secret)::integer as different,
      count(*) filter (where secret like 'sealed:%')::integer as encrypted from identity.totp`);
    expect(row).toEqual({ count: 3001, different: 3001, encrypted: 3001 });
  });

  test('waits for a concurrent change of a TOTP secret, and encrypts the new secret', async () => {
    const own = await newDatabase();
    const before = await start(own, []);
    const { accessToken } = await before.logIn();
    const { secret } = await before.enrol(accessToken);
    const other = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const client = new pg.Client({ connectionString: own.connectionString });
    await client.connect();
    await client.query('begin');
    await client.query('update identity.totp set secret = $1', [other]);
    const starting = start(own, [newer]);
    // The start encrypts the signing key first. Then it waits for the locked row of the TOTP secret.
    await vi.waitFor(async () => expect((await tablesOf(before)).split('"sealed:')).toHaveLength(2), 10_000);
    for (let look = 1; look <= 10; look += 1) expect(await tablesOf(before)).toContain(secret);
    await client.query('commit');
    await client.end();
    const after = await starting;
    expect(await tablesOf(after)).not.toContain(other);
    expect(await verify(after, accessToken, await after.codeOf(secret, 1))).toBe(401);
    expect(await verify(after, accessToken, await after.codeOf(other, 1))).toBe(200);
  });

  test('clears the column used_steps_of if it holds a copy of a TOTP secret that was replaced', async () => {
    const own = await newDatabase();
    const before = await start(own, []);
    const { accessToken } = await before.logIn();
    await before.enrol(accessToken);
    await before.rows(`update identity.totp set used_steps_of = 'REPLACED'`);
    const encrypted = await start(own, [newer]);
    expect(await tablesOf(encrypted)).not.toContain('REPLACED');
    const [row] = await encrypted.rows('select used_steps_of from identity.totp');
    expect(row).toEqual({ used_steps_of: null });
    await encrypted.rows(`update identity.totp set used_steps_of = 'REPLACED'`);
    expect(await tablesOf(await start(own, [newer]))).not.toContain('REPLACED');
  });

  test('rejects a signing key that was copied to a row with another ID', async () => {
    const own = await newDatabase();
    const before = await start(own, [newer]);
    await before.rows(
      `insert into identity.signing_keys (kid, private_jwk) select 'another', private_jwk from identity.signing_keys`,
    );
    await expect(start(own, [newer])).rejects.toThrow('The secret of signing key:another was encrypted for another');
  });

  test.each([
    ['is not set', []],
    ['does not contain their key', [newer]],
  ])('fails and changes nothing if secrets are encrypted and ENCRYPTION_KEY %s', async (_, keys) => {
    const own = await newDatabase();
    const before = await start(own, [older]);
    const { accessToken } = await before.logIn();
    await before.enrol(accessToken);
    const tables = await tablesOf(before);
    await expect(start(own, keys)).rejects.toThrow('which is not in ENCRYPTION_KEY');
    expect(await tablesOf(before)).toBe(tables);
  });
});
