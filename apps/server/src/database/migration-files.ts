import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A migration as it lies in the folder. */
export interface MigrationFile {
  /** `NNNN_name.sql`; the number gives the order. */
  name: string;
  /** Hexadecimal, of the text with line ends as LF. */
  sha256: string;
  sql: string;
}

/**
 * Reads the migrations of a folder, in order. Files that do not end in `.sql` are left alone.
 *
 * @throws Error when a name is not `NNNN_name.sql`, or two files have one number: their order would be an accident.
 */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort();
  for (const [position, name] of names.entries()) {
    if (!/^\d{4}_[a-z0-9_-]+\.sql$/.test(name)) throw new Error(`Migration ${name} must be named like 0001_name.sql.`);
    const previous = names[position - 1];
    if (previous?.slice(0, 4) === name.slice(0, 4)) {
      throw new Error(`Migrations ${previous} and ${name} have the same number.`);
    }
  }
  return Promise.all(
    names.map(async (name) => {
      // git may check out CRLF on Windows; the same migration must have the same checksum everywhere.
      const sql = (await readFile(join(directory, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
