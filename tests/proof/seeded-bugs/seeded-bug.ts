import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';

/** A bug that a change of the sources could introduce, and the test that catches it. */
export interface SeededBug {
  /** The bug as a sentence. */
  readonly name: string;
  readonly changes: readonly Change[];
  readonly caughtBy: NamedTest;
}

/** A piece of code that a source file contains exactly once, and its replacement. */
export interface Change {
  /** The path from the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A test, identified by its title in the source. Placeholders of `it.each` match any text. */
export interface NamedTest {
  readonly package: 'apps/server' | 'packages/sdk';
  /** The path from the folder of the package. */
  readonly file: string;
  readonly title: string;
}

export const migrations = 'apps/server/migrations';

/** Returns the mistakes in the description of a bug: a piece of code or a test title that does not occur exactly once in its file. */
export async function findMistakes({ changes, caughtBy }: SeededBug): Promise<string[]> {
  const files = [...new Set(changes.map(({ file }) => file))];
  const ofChanges = await Promise.all(
    files.map((file) => applyTo(file, changes).catch(({ message }: Error) => message)),
  );
  const mistakes = ofChanges.filter((_, index) => typeof ofChanges[index] === 'string') as string[];
  const testFile = join(caughtBy.package, caughtBy.file);
  const count = countOf(caughtBy.title, withoutProvesTags(await readSource(testFile)));
  return count === 1 ? mistakes : [...mistakes, `"${caughtBy.title}" occurs ${count} times in ${testFile}`];
}

/**
 * Applies the changes of a bug to copies of the sources, and writes each copy into a folder, with its path in the
 * repository. If the bug changes a migration, also writes all other migrations.
 * @throws Error if a piece of code does not occur exactly once in its file
 */
export async function writeBuggySources({ changes }: SeededBug, folder: string): Promise<void> {
  if (changes.some(({ file }) => file.startsWith(migrations))) {
    await cp(join(repository, migrations), join(folder, migrations), { recursive: true });
  }
  for (const file of new Set(changes.map((change) => change.file))) {
    const { text } = await applyTo(file, changes);
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
}

async function applyTo(file: string, changes: readonly Change[]): Promise<{ readonly text: string }> {
  let text = await readSource(file);
  for (const { from, to } of changes.filter((change) => change.file === file)) {
    const count = countOf(from, text);
    if (count !== 1) throw new Error(`${JSON.stringify(from)} occurs ${count} times in ${file}`);
    text = text.replace(from, () => to);
  }
  return { text };
}

async function readSource(file: string): Promise<string> {
  return (await readFile(join(repository, file), 'utf8')).replaceAll('\r\n', '\n');
}

/** Returns a test source without its `@proves` tags, which repeat the titles of tests. */
function withoutProvesTags(source: string): string {
  return source.replaceAll(/^ *\/\/ @proves .*$/gm, '');
}

function countOf(part: string, text: string): number {
  return text.split(part).length - 1;
}
