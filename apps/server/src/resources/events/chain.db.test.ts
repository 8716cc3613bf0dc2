import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ChainedEvent, type ChainPosition, findChainFault, genesisOf } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';

interface Vector {
  readonly trackerId: string;
  readonly genesisHash: string;
  /** `leaf` is the canonical text of an event. The hash of the event covers this text. */
  readonly events: readonly (ChainedEvent & { readonly leaf: string })[];
}

const vector = JSON.parse(
  readFileSync(new URL('../../../../../packages/contracts/test-vectors/chain-v1.json', import.meta.url), 'utf8'),
) as Vector;
const { trackerId } = vector;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
let testDatabase: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await testDatabase.drop();
});

it('PostgreSQL and the contracts package compute the same canonical text and hash for each event of the test vector', async () => {
  const bytes = (hex: string | null) => (hex === null ? null : Buffer.from(hex, 'hex'));
  for (const event of vector.events) {
    await client.query(
      `insert into app.audit_events (tracker_id, id, occurred_at, user_id, credential_id, action, resource_type, resource_id,
         change, request_id, salt, change_digest, state_digest)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      [
        trackerId,
        event.id,
        event.occurredAt,
        event.userId,
        event.credentialId,
        event.type,
        event.resource.type,
        event.resource.id,
        event.change === null ? null : JSON.stringify(event.change),
        event.requestId,
        bytes(event.salt),
        bytes(event.changeDigest),
        bytes(event.stateDigest),
      ],
    );
  }
  const pending = await client.query(
    `select app.event_leaf(e, row_number() over (order by insert_order)) as leaf from app.audit_events e
     where tracker_id = $1 order by insert_order`,
    [trackerId],
  );
  expect(pending.rows.map(({ leaf }) => leaf)).toEqual(vector.events.map(({ leaf }) => leaf));
  await client.query('select app.number_events($1)', [trackerId]);
  const { rows } = await client.query(
    `select sequence::int, encode(hash, 'hex') as hash, change from app.events where tracker_id = $1 order by sequence`,
    [trackerId],
  );
  let position: ChainPosition = await genesisOf(trackerId, sha256);
  expect(position.hash).toBe(vector.genesisHash);
  for (const [index, event] of vector.events.entries()) {
    // `change` is read from PostgreSQL. Its keys are in another order, because jsonb reorders them; the digest must match nevertheless.
    const stored = { ...event, ...rows[index] };
    expect(stored.hash).toBe(event.hash);
    expect(await findChainFault(position, stored, { trackerId, sha256 })).toBeNull();
    position = stored;
  }
});
