import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../cli-error.js';
import type { InputStream } from '../../surroundings.js';

/**
 * Runs `act` on the file that was named. For `-` and `/dev/stdin` that is a copy of standard input, which cannot be read
 * twice as an import must; only its owner can read the copy, and it is removed however `act` ends.
 *
 * @throws UsageError (exit 2) when standard input is a terminal; and whatever `act` throws
 */
export async function withStatementFile<Result>(
  path: string,
  stdin: InputStream,
  act: (path: string) => Promise<Result>,
): Promise<Result> {
  if (!stdinNames.has(path)) return act(path);
  if (stdin.isTTY === true)
    throw new UsageError('Standard input is a terminal.', 'Pipe the statement into the command.');
  const directory = await mkdtemp(join(tmpdir(), 'centavo-import-'));
  const copy = join(directory, 'statement');
  try {
    await writeCopy(copy, stdin);
    return await act(copy);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(error.message.replaceAll(copy, 'Standard input'), error.remedy);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const stdinNames: ReadonlySet<string> = new Set(['-', '/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);

async function writeCopy(copy: string, stdin: InputStream): Promise<void> {
  const file = await open(copy, 'wx', 0o600);
  try {
    for await (const chunk of stdin) await file.appendFile(chunk);
  } finally {
    await file.close();
  }
}
