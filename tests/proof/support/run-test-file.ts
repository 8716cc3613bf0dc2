import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';
import { startProgram } from '../../acceptance/support/start-program.js';

/** A test in vitest's report. */
export interface TestResult {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

/**
 * Runs the tests of one file of a package.
 * @param file the path, relative to the folder of the package
 * @throws Error with vitest's output if it ran no test
 */
export async function runTestFile(packageFolder: 'packages/sdk', file: string): Promise<readonly TestResult[]> {
  const report = join(tmpdir(), `centavo-test-file-${randomUUID()}.json`);
  const program = startProgram({
    words: [
      join(repository, 'node_modules/vitest/vitest.mjs'),
      'run',
      file,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    cwd: join(repository, packageFolder),
    env: { NO_COLOR: '1' },
  });
  const { stdout, stderr } = await program.ended;
  const text = await readFile(report, 'utf8').catch(() => '{"testResults":[]}');
  await rm(report, { force: true });
  const { testResults } = JSON.parse(text) as { testResults: { assertionResults: TestResult[] }[] };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0) throw new Error(`No test of ${file} ran:\n${stdout}${stderr}`);
  return results;
}
