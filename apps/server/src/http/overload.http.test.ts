import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let operator: pg.Client;

beforeAll(async () => {
  server = await startTestServer({ env: { DATABASE_POOL_MAX: '1' } });
  user = await server.newUser();
  await server.newTracker(user);
  operator = new pg.Client({ connectionString: server.connectionString });
  await operator.connect();
});
afterAll(async () => {
  await operator.end();
  await server.close();
});

// @proves contract 5: 500 / 503
it('the server returns 503 with Retry-After while the pool is exhausted, and serves again afterwards', async () => {
  const list = () => server.call('listAccounts', { token: user.token });
  await operator.query('begin; lock table app.accounts in access exclusive mode');
  const answers = await Promise.all(Array.from({ length: 6 }, list));
  await operator.query('rollback');

  expect(answers.map(({ status, error }) => `${status} ${error?.code}`)).toEqual(
    Array.from({ length: 6 }, () => '503 SERVICE_UNAVAILABLE'),
  );
  expect(answers.every(({ headers }) => Number(headers.get('Retry-After')) >= 1)).toBe(true);
  expect(JSON.stringify(answers.map(({ error }) => error))).not.toMatch(/postgres|lock|pool|timeout|sql/i);
  expect((await list()).status).toBe(200);
});
