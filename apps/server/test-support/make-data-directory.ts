import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes an empty temporary directory that every user may pass through; `remove` deletes it with what is in it. */
export async function makeDataDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'centavo-test-'));
  await chmod(path, 0o711);
  // A child of a killed program may still be writing; removal then needs a second go.
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 }) };
}
