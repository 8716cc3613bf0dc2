import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.js';
import { migrate, pendingMigrations } from './migrate.js';

describe('migrate', () => {
  let directory: string;
  let database: TestDatabase;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'centavo-test-migrations-'));
    database = await createTestDatabase({ empty: true });
    await write('0001_books.sql', 'create table books (id int primary key);\ninsert into books values (1);');
    await write('0002_pages.sql', 'create table pages (id int primary key);');
  });
  afterEach(async () => {
    await database.drop();
    await rm(directory, { recursive: true });
  });

  const write = (name: string, sql: string): Promise<void> => writeFile(join(directory, name), sql);
  const run = (connectionString = database.connectionString) => migrate({ connectionString, directory });
  const pending = () => pendingMigrations({ connectionString: database.connectionString, directory });
  const query = async (sql: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: database.connectionString });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };

  test('applies the pending migrations in order, each of them once', async () => {
    expect(await pending()).toEqual(['0001_books.sql', '0002_pages.sql']);
    expect(await run()).toEqual({ applied: ['0001_books.sql', '0002_pages.sql'] });
    expect(await run()).toEqual({ applied: [] });
    expect(await pending()).toEqual([]);
    await write('0003_more.sql', 'alter table pages add column text text;');
    expect(await run()).toEqual({ applied: ['0003_more.sql'] });
    const recorded = await query(`select name from centavo_migrations where name ~ '^\\d{4}_\\w+\\.sql [0-9a-f]{64}$'`);
    expect(recorded).toHaveLength(3);
  });

  test('applies nothing from an empty directory', async () => {
    await rm(join(directory, '0001_books.sql'));
    await rm(join(directory, '0002_pages.sql'));
    expect(await run()).toEqual({ applied: [] });
  });

  test('applies each migration once when several servers start together', async () => {
    const results = await Promise.all(Array.from({ length: 6 }, () => run()));
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(['0001_books.sql', '0002_pages.sql']);
    expect(await query('select * from books')).toHaveLength(1);
  });

  test('sends a question mark in a migration to PostgreSQL unchanged', async () => {
    await write(
      '0003_question.sql',
      `create table questions as select '{"a": 1}'::jsonb ? 'a' as found, '\\?' as text;`,
    );
    await run();
    expect(await query('select * from questions')).toEqual([{ found: true, text: '\\?' }]);
  });

  test('refuses a database that a development version created', async () => {
    await query('create table centavo_migrations (name text primary key, sha256 text not null)');
    await query(`insert into centavo_migrations values ('0001_books.sql', 'checksum')`);
    await expect(run()).rejects.toThrow('older than the first release, made this database');
    expect(await query(`select to_regclass('books') as books`)).toEqual([{ books: null }]);
  });

  test('names the failing migration and the line, and rolls back only that migration', async () => {
    await write('0002_pages.sql', 'create table pages (id int primary key);\nselect * from nothing_of_that_name;');
    await expect(run()).rejects.toThrow(
      /0002_pages\.sql failed \(line 2\): relation "nothing_of_that_name" does not exist/,
    );
    expect(await pending()).toEqual(['0002_pages.sql']);
    expect(await query("select to_regclass('pages') as pages")).toEqual([{ pages: null }]);
  });

  test('adds no second full stop to the error message of a migration', async () => {
    await write('0002_pages.sql', `do $$ begin raise exception 'Pages are out.'; end $$;`);
    await expect(run()).rejects.toThrow(/failed: Pages are out\. None of it was applied\.$/);
  });

  test('refuses a file that was changed after it was applied', async () => {
    await run();
    await write('0001_books.sql', 'create table books (id bigint primary key);');
    await expect(run()).rejects.toThrow('0001_books.sql was changed after it was applied');
    await expect(pending()).rejects.toThrow('0001_books.sql was changed after it was applied');
  });

  test('accepts a file in which only the line endings changed after it was applied', async () => {
    await run();
    await write('0001_books.sql', 'create table books (id int primary key);\r\ninsert into books values (1);');
    expect(await run()).toEqual({ applied: [] });
  });

  test('refuses a database with migrations of a newer version', async () => {
    await run();
    await rm(join(directory, '0002_pages.sql'));
    await expect(run()).rejects.toThrow('0002_pages.sql, which this version does not have');
  });

  test('refuses a migration numbered before an applied one', async () => {
    await rm(join(directory, '0001_books.sql'));
    await run();
    await write('0001_books.sql', 'select 1;');
    await expect(run()).rejects.toThrow('0001_books.sql comes before 0002_pages.sql');
  });

  test.each([
    ['a name without a number', 'books.sql', /must be named like/],
    ['a number used twice', '0002_other.sql', /have the same number/],
  ])('refuses %s, and applies no migration', async (_, name, message) => {
    await write(name, 'select 1;');
    await expect(run()).rejects.toThrow(message);
    expect(await query("select to_regclass('books') as books")).toEqual([{ books: null }]);
  });
});
