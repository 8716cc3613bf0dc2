import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a temporary folder for a run of tests, and removes it with its content at the end. */
export default async function ownTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-statement-reader-tests-'));
  // Test workers inherit the variable, which `tmpdir()` reads.
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
