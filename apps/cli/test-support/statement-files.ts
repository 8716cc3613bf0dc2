import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Real statements lie beside the repository, where they exist at all; they are not ours to ship. */
const folder = fileURLToPath(new URL('../../../../shared/data/statements/', import.meta.url));

/** The path of a real statement, or undefined where there is none, for a test to skip and say so. */
export function findRealStatement(name: string): string | undefined {
  const path = join(folder, name);
  return existsSync(path) ? path : undefined;
}

/** Writes a statement into a folder of its own. */
export async function writeStatement(content: string | Buffer, name = 'statement.csv'): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'centavo-statement-')), name);
  await writeFile(path, content);
  return path;
}
