import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SeededTracker, seedTracker } from '../../../test-support/seed-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { createDatabase, type Database } from '../pool.js';
import { checkBooks } from './check-books.queries.js';

let testDatabase: TestDatabase;
let client: pg.Client;
let database: Database;
let books: SeededTracker;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = new pg.Client({ connectionString: testDatabase.connectionString });
  await client.connect();
  database = createDatabase({ connectionString: testDatabase.connectionString, poolMax: 1 });
  // The tracker has one expense of 1.00, which neither the balance nor the counts include. Its only transfer has no movements, which
  // would be a further contradiction, so the transfer is deleted.
  books = await seedTracker(client, 'books');
  await client.query('delete from app.transfers');
});
afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

const check = async () => (await database.transaction({ readOnly: true }, checkBooks)).contradictions;

it('checkBooks reports a wrong balance and wrong counts of a cashbox separately, and nothing when both are correct', async () => {
  const cashbox = `Tracker ${books.trackerId}, cashbox ${books.cashboxId}`;
  const balance = `${cashbox}: the balance is 0.0000, but opening balance and movements add up to -1.0000.`;
  const counts = `${cashbox}: it stores the counts 0 and 0 for expenses and incomes, but there are 1 and 0.`;
  expect(await check()).toEqual([balance, counts]);
  await client.query('update app.cashboxes set balance = -1');
  expect(await check()).toEqual([counts]);
  await client.query('update app.cashboxes set balance = 0, expense_count = 1');
  expect(await check()).toEqual([balance]);
  await client.query('update app.cashboxes set balance = -1');
  expect(await check()).toEqual([]);
  await client.query('update app.cashboxes set income_count = 1');
  expect(await check()).toEqual([
    `${cashbox}: it stores the counts 1 and 1 for expenses and incomes, but there are 1 and 0.`,
  ]);
});
