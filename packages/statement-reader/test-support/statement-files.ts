import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real statements are not part of the repository. On some machines they are in a folder next to it. */
const folder = fileURLToPath(new URL('../../../../shared/data/statements/', import.meta.url));

/** Returns the path of a real statement; undefined if this machine does not have it. Its test is skipped in this case. */
export function findRealStatement(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

/** Writes a statement into a new folder, and returns its path. */
export async function writeStatement(content: string | Buffer, name = 'statement.csv'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'centavo-statement-')), name);
  await writeFile(path, content);
  return path;
}
