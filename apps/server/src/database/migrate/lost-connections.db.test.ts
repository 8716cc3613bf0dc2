import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { migrate } from './migrate.js';

let directory: string;
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'centavo-test-migrations-'));
  await writeFile(
    join(directory, '0001_books.sql'),
    'create table books (id int primary key);\ninsert into books values (1);',
  );
  await writeFile(join(directory, '0002_pages.sql'), 'create table pages (id int primary key);');
  database = await createTestDatabase({ empty: true });
  client = new pg.Client({ connectionString: database.connectionString });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(directory, { recursive: true });
});

const run = (connectionString = database.connectionString) => migrate({ connectionString, directory });
const query = async (sql: string): Promise<unknown[]> => (await client.query(sql)).rows;

test('migrate, when run again after its connection was cut at any packet, completes the migrations and applies each once', async () => {
  for (let packets = 1, isCut = true; isCut; packets += 1) {
    await query('drop table if exists books, pages, centavo_migrations, centavo_migrations_lock');
    const proxy = await startCuttingProxy(database.connectionString, packets);
    isCut = await run(proxy.connectionString).then(
      () => false,
      () => true,
    );
    proxy.close();
    await run();
    expect(await query('select id from books')).toEqual([{ id: 1 }]);
    expect(await query(`select to_regclass('pages') is not null as exists`)).toEqual([{ exists: true }]);
    expect(await query('select split_part(name, chr(32), 1) as name from centavo_migrations order by 1')).toEqual([
      { name: '0001_books.sql' },
      { name: '0002_pages.sql' },
    ]);
    // The migrations need more than ten packets. Without this check, the test would pass if the proxy cut no connection.
    expect(packets > 10 || isCut).toBe(true);
  }
});

/** Starts a proxy that destroys a connection instead of forwarding the client's packet number `cutAt`. */
async function startCuttingProxy(connectionString: string, cutAt: number) {
  const url = new URL(connectionString);
  const upstream = { host: url.hostname, port: Number(url.port) };
  const server = createServer((client) => {
    const database = connect(upstream);
    for (const socket of [client, database]) socket.on('error', () => {}).on('close', () => client.destroy());
    client.on('close', () => database.destroy());
    let packets = 0;
    client.on('data', (bytes) => {
      packets += 1;
      if (packets < cutAt) database.write(bytes);
      else client.destroy();
    });
    database.on('data', (bytes) => client.write(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.port = String((server.address() as AddressInfo).port);
  return { connectionString: url.href, close: () => server.close() };
}
