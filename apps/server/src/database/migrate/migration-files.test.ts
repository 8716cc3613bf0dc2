import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { splitStatements } from './migration-files.js';

const statementsOf = (sql: string) => splitStatements(sql).map((statement) => statement.sql.trim());

describe('a file of SQL', () => {
  test('is split at its semicolons into statements with their offsets', () => {
    const sql = 'select 1;\n-- of two\nselect 2;\n';
    expect(splitStatements(sql)).toEqual([
      { sql: 'select 1', offset: 0 },
      { sql: '\n-- of two\nselect 2', offset: 9 },
    ]);
  });

  test.each([
    [`a text`, `select 'a;''b;'`],
    ['a quoted name', `select 1 as "a;""b;"`],
    ['a comment', 'select 1 -- not; here\n + 1'],
    ['a comment over lines', 'select 1 /* not; \n here; */ + 1'],
    ['a body', `do $$ begin perform 1; perform '$'; end $$`],
    ['a named body that contains another body', 'do $body$ begin execute $$select 1;$$; end $body$'],
  ])('is not split in %s', (_, sql) => {
    expect(statementsOf(`${sql}; select 2`)).toEqual([sql, 'select 2']);
  });

  test('has no statement if it has only comments and semicolons', () => {
    expect(statementsOf(';; -- nothing;\n /* here; */ ;')).toEqual([]);
  });

  test('is the concatenation of its statements, for each migration', () => {
    const folder = fileURLToPath(new URL('../../../migrations/', import.meta.url));
    for (const name of readdirSync(folder)) {
      const sql = readFileSync(folder + name, 'utf8');
      const statements = splitStatements(sql);
      expect(`${statements.map((statement) => statement.sql).join(';')};`, name).toBe(sql.trimEnd());
    }
  });
});
