import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder for a run of tests. Returns a function that removes the folder with its content. */
export default async function ownTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-statement-reader-tests-'));
  // Test workers inherit `TMPDIR`, so their calls of `tmpdir()` return this folder.
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
