import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiKeyFixture, startApiKeyFixture } from '../../../test-support/start-api-key-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';
import { waitForLockedStatements } from '../../../test-support/wait-for-locked-statements.js';

let fixture: ApiKeyFixture;
let server: TestServer;
let user: TestUser;
let tracker: ApiKeyFixture['tracker'];
let client: pg.Client;
let newKey: ApiKeyFixture['newKey'];
let revoke: ApiKeyFixture['revoke'];
let movement: ApiKeyFixture['movement'];

beforeAll(async () => {
  fixture = await startApiKeyFixture();
  ({ server, user, tracker, client, newKey, revoke, movement } = fixture);
});

afterAll(() => fixture.close());

describe('the revocation of an API key', () => {
  // @proves spec, States and transitions: active · DELETE /api-keys/{clientId} or DELETE /integration-clients/{clientId}
  // @proves spec, Credential administration: DELETE · /api-keys/{clientId}
  // @proves contract 4: DELETE of a revoked credential
  it('takes effect immediately, and returns 204 again when it is repeated', async () => {
    const key = await newKey();
    expect((await revoke(key.clientId)).status).toBe(204);
    expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
    expect((await revoke(key.clientId)).status).toBe(204);
    const { rows } = await client.query(`select action from app.user_audit_events where resource_id = $1`, [
      key.clientId,
    ]);
    expect(rows.map(({ action }) => action)).toEqual(['api_key.created', 'api_key.revoked']);
  });

  // @proves spec, Credential administration: DELETE · /api-keys/{clientId}
  // @proves contract 10a: Integration clients
  it('needs no one-time code, works for a legacy key, and returns 404 for keys of other users', async () => {
    const { data: session } = await server.call('createSession', {
      body: { email: user.email, password: user.password },
    });
    const legacy = await newKey();
    await client.query(`update app.credentials set kind = 'legacy' where id = $1`, [legacy.clientId]);
    expect((await revoke(legacy.clientId, session.accessToken)).status).toBe(204);
    const other = await server.newUser();
    const mine = await newKey();
    const [foreign, none] = [await revoke(mine.clientId, other.token), await revoke(randomUUID())];
    expect(foreign.status).toBe(404);
    expect(foreign.error).toEqual(none.error);
    expect((await movement(mine.secret)).status).toBe(201);
  });

  it('does not deadlock with a concurrent write that updates the row of the key, such as a change of its active tracker', async () => {
    const key = await newKey();
    const write = new pg.Client({ connectionString: server.connectionString });
    await write.connect();
    try {
      await write.query('begin');
      await write.query(`set local lock_timeout = '500ms'`);
      // The lock that app.enter_request takes for a write with this key.
      await write.query(
        `select pg_advisory_xact_lock_shared(hashtextextended(encode(secret_sha256, 'hex'), 1))
         from app.credentials where id = $1`,
        [key.clientId],
      );
      const revoked = revoke(key.clientId);
      await waitForLockedStatements({ client, count: 1 });
      await write.query('update app.credentials set active_tracker_id = $2 where id = $1', [key.clientId, tracker.id]);
      await write.query('commit');
      expect((await revoked).status).toBe(204);
    } finally {
      await write.end();
    }
  });

  it('completes only after an uncommitted write with the key has ended; later writes with the key are rejected', async () => {
    const key = await newKey();
    const countMovements = async () => {
      const { rows } = await client.query(`select count(*)::int as count from app.movements where source_id = $1`, [
        key.clientId,
      ]);
      return rows[0].count;
    };
    const other = new pg.Client({ connectionString: server.connectionString });
    await other.connect();
    try {
      // This lock on the row of the cashbox makes the write wait after it has been authorized.
      await other.query('begin');
      await other.query('select from app.cashboxes where id = $1 for update', [tracker.cashboxId]);
      const written = movement(key.secret);
      await waitForLockedStatements({ client, count: 1 });
      let isAnswered = false;
      const revoked = revoke(key.clientId).then(async ({ status }) => {
        isAnswered = true;
        return { status, movements: await countMovements() };
      });
      await waitForLockedStatements({ client, count: 2, isOver: () => isAnswered });
      const wasAnsweredTooEarly = isAnswered;
      await other.query('commit');

      expect({ wasAnsweredTooEarly, ...(await revoked) }).toEqual({
        wasAnsweredTooEarly: false,
        status: 204,
        movements: 1,
      });
      expect((await written).status).toBe(201);
      expect((await movement(key.secret)).error?.code).toBe('CREDENTIAL_REVOKED');
      expect(await countMovements()).toBe(1);
    } finally {
      await other.end();
    }
  });

  // @proves spec, States and transitions: active · DELETE /api-keys/{clientId} or DELETE /integration-clients/{clientId}
  // @proves contract 8: Revocation and loss of a role
  it('lets none of sixteen concurrent writers commit a write after the 204 response', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await newKey();
      let isRevoked = false;
      const lateSuccesses: string[] = [];
      const writers = Array.from({ length: 16 }, async () => {
        for (;;) {
          const startedAfter = isRevoked;
          const response = await movement(key.secret);
          if (response.status !== 201) return response.error?.code;
          if (startedAfter) lateSuccesses.push(response.data.id);
        }
      });
      await revoke(key.clientId);
      isRevoked = true;
      const { rows: atRevocation } = await client.query(
        `select count(*)::int as count from app.movements where source_id = $1`,
        [key.clientId],
      );
      expect(new Set(await Promise.all(writers))).toEqual(new Set(['CREDENTIAL_REVOKED']));
      const { rows: after } = await client.query(
        `select count(*)::int as count from app.movements where source_id = $1`,
        [key.clientId],
      );
      expect(after[0].count).toBe(atRevocation[0].count);
      expect(lateSuccesses).toEqual([]);
    }
  });
});
