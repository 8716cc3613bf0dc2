import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';

/** A mistake that somebody could make in the sources, and the test of the suite that would tell them. */
export interface SeededBug {
  /** The kind of mistake, and what it comes to here. */
  readonly name: string;
  readonly changes: readonly Change[];
  readonly caughtBy: NamedTest;
}

/** A text that stands once in a source, and what stands there instead. */
export interface Change {
  /** From the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A test as its source names it; in the title of a table of tests, placeholders stand for anything. */
export interface NamedTest {
  readonly package: 'apps/server' | 'packages/sdk';
  /** From the folder of the package. */
  readonly file: string;
  readonly title: string;
}

export const migrations = 'apps/server/migrations';

/** Gives what no longer fits the sources of today: a text to replace that is gone or stands twice, a test that is gone. */
export async function findMistakes({ changes, caughtBy }: SeededBug): Promise<string[]> {
  const files = [...new Set(changes.map(({ file }) => file))];
  const ofChanges = await Promise.all(
    files.map((file) => applyTo(file, changes).catch(({ message }: Error) => message)),
  );
  const mistakes = ofChanges.filter((_, index) => typeof ofChanges[index] === 'string') as string[];
  const testFile = join(caughtBy.package, caughtBy.file);
  const count = countOf(caughtBy.title, await readSource(testFile));
  return count === 1 ? mistakes : [...mistakes, `"${caughtBy.title}" stands ${count} times in ${testFile}`];
}

/**
 * Writes the sources as the bug has them into a folder, each under its path in the repository; the sources themselves are
 * left alone. With a migration come all the others.
 * @throws Error when a text to replace is not there exactly once
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
    if (count !== 1) throw new Error(`${JSON.stringify(from)} stands ${count} times in ${file}`);
    text = text.replace(from, () => to);
  }
  return { text };
}

async function readSource(file: string): Promise<string> {
  return (await readFile(join(repository, file), 'utf8')).replaceAll('\r\n', '\n');
}

function countOf(part: string, text: string): number {
  return text.split(part).length - 1;
}
