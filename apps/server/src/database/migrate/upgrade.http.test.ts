import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import pino from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OldTracker, prepareOldTracker } from '../../../test-support/prepare-old-tracker.js';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { composeServer } from '../../app.js';
import { checkCommand } from '../../commands/check.js';
import { migrateCommand } from '../../commands/migrate.js';
import { readConfig } from '../../config/env.js';
import { migrate } from './migrate.js';

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url));
const files = readdirSync(migrations).sort();
const earlierStates = files.slice(0, -1).map((last, index) => ({ last, count: index + 1 }));

let database: TestDatabase;
let client: pg.Client;
let output = '';

beforeEach(async () => {
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
  output = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output += text;
    return true;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await client.end();
  await database.drop();
});

test.each(earlierStates)(
  'migrate keeps records, consistent balances and client access when it upgrades a database from migration $last',
  async ({ count }) => {
    await migrateTo(count);
    const books = prepareOldTracker();
    await books.insertMissingRows(client);
    const before = await readTables();

    const env = { DATABASE_URL: database.connectionString };
    const options = {
      env,
      migrations,
      defaultDataDir: '/nowhere',
      docs: '/nowhere',
      cliCommand: 'centavo',
      sampleStatement: 'sample.csv',
    };
    expect(await migrateCommand(options)).toBe(0);
    expect(output).toBe(`Applied ${files.slice(count).join(', ')}.\n`);
    expect(await migrateCommand(options)).toBe(0);
    expect(output).toContain('Nothing to apply; the database is up to date.');

    const after = await readTables();
    for (const [table, rows] of before) {
      expect(after.get(table)).toEqual(expect.arrayContaining(rows.map((row) => expect.objectContaining(row))));
    }
    // Writes the rows of tables that the earlier version did not have.
    await books.insertMissingRows(client);
    expect(await checkCommand(options)).toBe(0);
    expect(output).toContain('Checked 2 balances and 1 transfer: 0 contradictions.');
    await expectToBeServed(books);
    expect(await checkCommand(options)).toBe(0);
  },
);

/** Applies the first `count` migrations, as an earlier version did. */
async function migrateTo(count: number): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'centavo-test-earlier-'));
  try {
    for (const name of files.slice(0, count)) await copyFile(join(migrations, name), join(directory, name));
    await migrate({ connectionString: database.connectionString, directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns every row of every table of the server. `client` is a superuser, so row-level security hides no rows. */
async function readTables(): Promise<ReadonlyMap<string, readonly object[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('app', 'identity')`,
  );
  const contents = new Map<string, readonly object[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: object }>(`select to_jsonb(t) as row from ${name} as t`);
    contents.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return contents;
}

/**
 * Expects that the server returns the old movement, accepts a write with the old secret, and refuses a different request with an
 * idempotency key that was used before the upgrade.
 */
async function expectToBeServed(books: OldTracker): Promise<void> {
  const server = await composeServer({
    config: readConfig({ PORT: '0' }, '/nowhere'),
    connectionString: database.connectionString,
    logger: pino({ level: 'silent' }),
  });
  const call = async (path: string, options: { method?: string; key?: string; body?: object } = {}) => {
    const response = await fetch(`${server.origin}/v1/financial/${path}`, {
      method: options.method ?? 'GET',
      headers: {
        Authorization: `Bearer ${books.secret}`,
        'X-Service-Tracker-Id': books.trackerId,
        'Content-Type': 'application/json',
        ...(options.key === undefined ? {} : { 'Idempotency-Key': options.key }),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  try {
    expect(await call(`movements/${books.movementId}`)).toMatchObject({
      status: 200,
      data: { amountDecimal: '12.50' },
    });
    const body = { type: 'expense', amountDecimal: '7.50', accountId: books.accountId };
    const write = { method: 'POST', body };
    expect(await call('movements', { ...write, key: 'sent today' })).toMatchObject({ status: 201 });
    expect(await call('movements', { ...write, key: 'sent today' })).toMatchObject({
      status: 200,
      meta: { idempotentReplay: true },
    });
    expect(await call('movements', { ...write, key: books.idempotencyKey })).toMatchObject({
      status: 409,
      error: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const { rows } = await client.query('select balance::text from app.cashboxes where account_id = $1', [
      books.accountId,
    ]);
    expect(rows).toEqual([{ balance: '100.0000' }]);
  } finally {
    await server.stop();
  }
}
