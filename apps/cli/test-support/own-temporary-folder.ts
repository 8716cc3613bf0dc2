import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder for a run of tests. Returns a function that removes it with all files that the tests left in it. */
export default async function ownTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-cli-tests-'));
  // Test workers inherit this variable, and `tmpdir()` reads it.
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
