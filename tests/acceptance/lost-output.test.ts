import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openSandbox } from './support/sandbox.js';

const sandbox = openSandbox();
const fullDevice = '/dev/full';
if (!existsSync(fullDevice))
  process.stderr.write(`${fullDevice} does not exist: the test of a full disk is skipped.\n`);

it.skipIf(!existsSync(fullDevice))(
  'the CLI reports that its output is lost, and prints the remedy, when the disk is full',
  async () => {
    const { exitCode, stderr } = await sandbox.runInShell(
      `CENTAVO_BASE_URL=http://127.0.0.1:1/v1/financial node apps/cli/dist/main.js profiles list -o json > ${fullDevice}`,
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^centavo: Cannot write to standard output \(ENOSPC\), so the output is lost\.\n {2}try: /);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);
