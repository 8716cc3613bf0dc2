import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** A file of the migrations directory. */
export interface MigrationFile {
  /** `NNNN_name.sql`; the number determines the order. */
  readonly name: string;
  /** The name under which the migration is recorded as applied: the file name and the SHA-256 of its text. */
  readonly id: string;
  readonly sql: string;
}

/**
 * Reads the `.sql` files of a directory, in order.
 * @throws Error if a file is not named `NNNN_name.sql`, or if two files have the same number
 */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  for (const [index, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_-]+\.sql$/.test(name)) throw new Error(`Migration ${name} must be named like 0001_name.sql.`);
    const previous = names[index - 1];
    if (previous?.slice(0, 4) === name.slice(0, 4)) {
      throw new Error(`Migrations ${previous} and ${name} have the same number.`);
    }
  }
  const read = async (name: string) => {
    // git may check out CRLF on Windows; the checksum must be the same everywhere.
    const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
    return { name, sql, id: `${name} ${createHash('sha256').update(sql).digest('hex')}` };
  };
  return Promise.all(names.map(read));
}

/**
 * Returns the files that are not applied yet. Pure. `files` must begin with the applied migrations, unchanged.
 * @param appliedIds the ids that the database has recorded, in order
 * @throws Error that names the first migration that differs, or says that a version before the first release made the database: its ids
 *   have no SHA-256
 */
export function pendingFiles(files: readonly MigrationFile[], appliedIds: readonly string[]): MigrationFile[] {
  for (const [index, id] of appliedIds.entries()) {
    const file = files[index];
    if (file?.id === id) continue;
    const [name, sha256] = id.split(' ');
    if (sha256 === undefined) {
      throw new Error(
        'A development version, older than the first release, made this database. Use an empty database.',
      );
    }
    if (file?.name === name) {
      throw new Error(
        `Migration ${name} was changed after it was applied. Restore it, and put the change into a new migration.`,
      );
    }
    if (files.some((other) => other.name === name)) {
      throw new Error(
        `Migration ${file?.name} comes before ${name}, which is already applied. Give ${file?.name} a higher number.`,
      );
    }
    throw new Error(
      `The database has migration ${name}, which this version does not have. Run the version that added it, or a newer one.`,
    );
  }
  return files.slice(appliedIds.length);
}

/**
 * Runs the statements of a file one by one in the transaction of the connection.
 * @throws Error that names the file, and the line if PostgreSQL reports a position
 */
export async function runMigrationFile(client: pg.ClientBase, { name, sql }: MigrationFile): Promise<void> {
  for (const statement of splitStatements(sql)) {
    await client.query(statement.sql).catch((error: pg.DatabaseError) => {
      const before = sql.slice(0, statement.offset + Number(error.position));
      const line = error.position === undefined ? '' : ` (line ${before.split('\n').length})`;
      const reason = error.message.replace(/\.$/, '');
      throw new Error(`Migration ${name} failed${line}: ${reason}. None of it was applied.`, { cause: error });
    });
  }
}

/** One statement of a file. */
interface FileStatement {
  readonly sql: string;
  /** The number of characters in the file before `sql`. */
  readonly offset: number;
}

// Comments, strings, quoted names and dollar-quoted bodies may contain semicolons that do not end a statement.
const token = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;

/**
 * Returns the statements of an SQL text, each with the comments before it. Pure. PostgreSQL accepts several statements in one query, but
 * Citus also sends the text of the query to other nodes, and they accept only a single statement.
 */
export function splitStatements(sql: string): FileStatement[] {
  const statements: FileStatement[] = [];
  let offset = 0;
  let isEmpty = true;
  for (const { 0: text, index } of sql.matchAll(token)) {
    if (text === ';') {
      if (!isEmpty) statements.push({ sql: sql.slice(offset, index), offset });
      offset = index + 1;
      isEmpty = true;
    } else if (!/^(?:--|\/\*)/.test(text) && text.trim() !== '') {
      isEmpty = false;
    }
  }
  return isEmpty ? statements : [...statements, { sql: sql.slice(offset), offset }];
}
