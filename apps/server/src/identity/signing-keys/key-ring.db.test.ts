import { randomBytes } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { createDatabase, type Database, type Transactions } from '../../database/pool.js';
import { createSecretEncryption } from '../../encryption/secret-encryption.js';
import { createEmbeddedIdentity } from '../index.js';
import { createKeyRing } from './key-ring.js';

let own: TestDatabase;
let database: Database;
let selects = 0;
let nowMs = Date.parse('2026-01-01T00:00:00.000Z');
const clock = () => new Date(nowMs);
const encryption = createSecretEncryption([]);

beforeAll(async () => {
  own = await createTestDatabase();
});
beforeEach(() => {
  selects = 0;
  const onStatement = (sql: string) => {
    if (sql.startsWith('select kid')) selects += 1;
  };
  database = createDatabase({ connectionString: own.connectionString, poolMax: 6, onStatement });
});
afterEach(() => database.close());
afterAll(() => own.drop());

describe('the key ring', () => {
  // @proves contract 8: GET /.well-known/jwks.json (at the root)
  test('creates one signing key, and not one per server, when six servers start at once', async () => {
    const rings = Array.from({ length: 6 }, () => createKeyRing({ database, encryption, clock }));
    const kids = await Promise.all(rings.map(async (ring) => (await ring.signingKey()).kid));
    expect(new Set(kids).size).toBe(1);
    const later = createKeyRing({ database, encryption, clock });
    expect((await later.signingKey()).kid).toBe(kids[0]);
  });

  test('publishes only the public members of a key, and its RFC 7638 thumbprint as its ID', async () => {
    const identity = createEmbeddedIdentity({ database, registration: 'open', clock, randomBytes });
    const { keys } = await identity.jwks();
    expect(keys).toHaveLength(1);
    const [key] = keys as [JWK];
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    expect(key.kid).toBe(await calculateJwkThumbprint(key));
  });

  test('loads the keys once, and loads them again for an unknown key ID at most once every 30 seconds', async () => {
    const ring = createKeyRing({ database, encryption, clock });
    const { kid } = await ring.signingKey();
    await Promise.all(Array.from({ length: 20 }, () => ring.findPublicKey(kid)));
    expect(selects).toBe(1);
    const unknown = await Promise.all(Array.from({ length: 20 }, (_, index) => ring.findPublicKey(`unknown-${index}`)));
    expect(new Set(unknown)).toEqual(new Set([undefined]));
    expect(selects).toBe(2);
    nowMs += 29_999;
    await ring.findPublicKey('unknown');
    expect(selects).toBe(2);
    nowMs += 1;
    await ring.findPublicKey('unknown');
    await ring.findPublicKey('x'.repeat(129));
    expect(selects).toBe(3);
    expect(await ring.findPublicKey(kid)).toBeDefined();
  });

  test('throws SERVICE_UNAVAILABLE while the database is unavailable, and returns the key afterwards', async () => {
    let isAway = true;
    const flaky: Transactions = {
      transaction: (options, work) =>
        isAway ? Promise.reject(new Error('Connection terminated')) : database.transaction(options, work),
    };
    const ring = createKeyRing({ database: flaky, encryption, clock });
    await expect(ring.signingKey()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503 });
    isAway = false;
    expect((await ring.signingKey()).kid).toBeDefined();
  });
});
