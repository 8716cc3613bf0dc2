import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../errors.js';
import type { InputStream } from '../../io.js';

/**
 * Runs `act` on the file that was named. What cannot be read twice, as an import must, is copied first: standard input
 * (`-`, `/dev/stdin`), a named pipe, `<(…)` of a shell. Only its owner can read the copy, and it is removed however `act`
 * ends.
 *
 * @throws UsageError (exit 2) when standard input is a terminal; and whatever `act` throws
 */
export async function withStatementFile<Result>(
  path: string,
  stdin: InputStream,
  act: (path: string) => Promise<Result>,
): Promise<Result> {
  const isStdin = stdinNames.has(path);
  if (!isStdin && !(await isPipe(path))) return act(path);
  if (isStdin && stdin.isTTY === true)
    throw new UsageError('Standard input is a terminal.', 'Pipe the statement into the command.');
  const directory = await mkdtemp(join(tmpdir(), 'centavo-import-'));
  const copy = join(directory, 'statement');
  try {
    await writeCopy(copy, isStdin ? stdin : createReadStream(path));
    return await act(copy);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replaceAll(copy, isStdin ? 'Standard input' : path), error.remedy);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const stdinNames: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

/** What is not there, or may not be looked at, is told by whoever reads it. */
function isPipe(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFIFO() || stats.isSocket() || stats.isCharacterDevice(),
    () => false,
  );
}

async function writeCopy(copy: string, stdin: AsyncIterable<Buffer | string>): Promise<void> {
  const file = await open(copy, 'wx', 0o600);
  try {
    for await (const chunk of stdin) await file.appendFile(chunk);
  } finally {
    await file.close();
  }
}
