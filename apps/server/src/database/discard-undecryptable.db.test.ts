import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedTracker } from '../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.js';
import { discardUndecryptable } from './discard-undecryptable.queries.js';
import { createDatabase, type Database } from './pool.js';
import { query } from './query.js';

let own: TestDatabase;
let database: Database;
beforeAll(async () => {
  own = await createTestDatabase();
  database = createDatabase({ connectionString: own.connectionString, poolMax: 1 });
});
afterAll(async () => {
  await database.close();
  await own.drop();
});

const authenticators = [
  { name: 'open', secret: 'BASE32', pending: null },
  { name: 'kept', secret: 'sealed:kept____:x', pending: 'sealed:kept____:y' },
  { name: 'confirmed', secret: 'sealed:lost____:x', pending: 'sealed:kept____:y' },
  { name: 'pending', secret: 'sealed:kept____:x', pending: 'sealed:lost____:y' },
  { name: 'new', secret: null, pending: 'sealed:lost____:y' },
] as const;

test('discardUndecryptable deletes the secrets encrypted with the lost key, and keeps a confirmed authenticator that can be decrypted', async () => {
  const left = await database.transaction({ readOnly: false }, async (tx) => {
    for (const { name, secret, pending } of authenticators) {
      await query(
        tx,
        `with person as (insert into app.users (id, issuer, subject) values (gen_random_uuid(), 'urn:centavo:identity', :name)
           returning id)
         insert into identity.totp (user_id, secret, pending_secret) select id, :secret, :pending from person`,
        { name, secret, pending },
      );
    }
    for (const key of ['"sealed:lost____:z"', '"sealed:kept____:z"', '{"d": "open"}']) {
      await query(tx, 'insert into identity.signing_keys (kid, private_jwk) values (:key, cast(:key as jsonb))', {
        key,
      });
    }
    expect(await discardUndecryptable(tx, 'sealed:lost____:')).toEqual({
      signingKeys: 1,
      authenticators: 3,
      webhooks: 0,
    });
    expect(await discardUndecryptable(tx, 'sealed:lost____:')).toEqual({
      signingKeys: 0,
      authenticators: 0,
      webhooks: 0,
    });
    const totp = await query(
      tx,
      `select u.subject as name, t.secret, t.pending_secret as pending from identity.totp t join app.users u on u.id = t.user_id
       order by u.subject`,
    );
    return { totp, keys: await query(tx, 'select kid from identity.signing_keys order by kid') };
  });
  expect(left).toEqual({
    totp: [
      { name: 'kept', secret: 'sealed:kept____:x', pending: 'sealed:kept____:y' },
      { name: 'open', secret: 'BASE32', pending: null },
      { name: 'pending', secret: 'sealed:kept____:x', pending: null },
    ],
    keys: [{ kid: '"sealed:kept____:z"' }, { kid: '{"d": "open"}' }],
  });
});

test('discardUndecryptable deletes webhook secrets encrypted with the lost key, and pauses endpoints whose current secret is lost', async () => {
  const client = new pg.Client({ connectionString: own.connectionString });
  await client.connect();
  await seedTracker(client, 'lost');
  await client.query(`update app.webhook_endpoints set secret = 'sealed:lost____:x', previous_secret = 'sealed:lost____:y',
    status = 'disabled', disabled_reason = 'gone'`);
  await seedTracker(client, 'kept');
  await client.query(
    `update app.webhook_endpoints set secret = 'sealed:kept____:x', status = 'active' where secret is null`,
  );
  await seedTracker(client, 'rotated');
  await client.query(
    `update app.webhook_endpoints set secret = 'sealed:kept____:x', previous_secret = 'sealed:lost____:y',
     previous_secret_until = now(), status = 'disabled', disabled_reason = 'gone' where secret is null`,
  );
  const discarded = await database.transaction({ readOnly: false }, (tx) =>
    discardUndecryptable(tx, 'sealed:lost____:'),
  );
  expect(discarded.webhooks).toBe(2);
  const { rows } = await client.query(
    'select secret, previous_secret, status from app.webhook_endpoints order by status',
  );
  expect(rows).toEqual([
    { secret: 'sealed:kept____:x', previous_secret: null, status: 'active' },
    { secret: 'sealed:kept____:x', previous_secret: null, status: 'disabled' },
    { secret: null, previous_secret: null, status: 'paused' },
  ]);
  await client.end();
});
