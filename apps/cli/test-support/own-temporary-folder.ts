import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of tests a temporary folder of its own, and removes it with everything that tests left in it. */
export default async function ownTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-cli-tests-'));
  // The workers inherit it, and `tmpdir()` reads it.
  process.env.TMPDIR = folder;
  return () => rm(folder, { recursive: true, force: true });
}
