import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { splitStatements } from './migration-files.js';

const statementsOf = (sql: string) => splitStatements(sql).map((statement) => statement.sql.trim());

describe('splitStatements', () => {
  test('splits a file at its semicolons into statements with their offsets', () => {
    const sql = 'select 1;\n-- of two\nselect 2;\n';
    expect(splitStatements(sql)).toEqual([
      { sql: 'select 1', offset: 0 },
      { sql: '\n-- of two\nselect 2', offset: 9 },
    ]);
  });

  test.each([
    ['a string', `select 'a;''b;'`],
    ['a quoted name', `select 1 as "a;""b;"`],
    ['a comment', 'select 1 -- not; here\n + 1'],
    ['a comment of several lines', 'select 1 /* not; \n here; */ + 1'],
    ['a dollar-quoted body', `do $$ begin perform 1; perform '$'; end $$`],
    ['a tagged dollar-quoted body that contains another body', 'do $body$ begin execute $$select 1;$$; end $body$'],
  ])('does not split at a semicolon in %s', (_, sql) => {
    expect(statementsOf(`${sql}; select 2`)).toEqual([sql, 'select 2']);
  });

  test('returns no statement for a file of comments and semicolons', () => {
    expect(statementsOf(';; -- nothing;\n /* here; */ ;')).toEqual([]);
  });

  test('splits each migration into statements that, joined by semicolons, equal the whole file', () => {
    const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
    for (const name of readdirSync(folder)) {
      const sql = readFileSync(folder + name, 'utf8');
      const statements = splitStatements(sql);
      expect(`${statements.map((statement) => statement.sql).join(';')};`, name).toBe(sql.trimEnd());
    }
  });
});
