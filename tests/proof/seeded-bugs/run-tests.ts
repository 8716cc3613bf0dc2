import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../acceptance/support/repository.js';
import { startProgram } from '../../acceptance/support/start-program.js';
import { migrations, type NamedTest, type SeededBug, writeBuggySources } from './seeded-bug.js';

/** The result of a named test; `message` is the failure message. */
export type Verdict =
  | { readonly kind: 'passed' }
  /** An expectation failed. */
  | { readonly kind: 'caught'; readonly message: string }
  /** Another failure, such as a source that cannot be loaded. It does not prove that the test catches the bug. */
  | { readonly kind: 'broken'; readonly message: string };

/**
 * Runs named tests of one package with the current sources.
 * @param databaseUrl a PostgreSQL for tests that need one, so that each run does not start its own
 */
export async function runTests(tests: readonly NamedTest[], databaseUrl: string): Promise<readonly Verdict[]> {
  return inFolder((folder) => runIn(folder, tests, { CENTAVO_TEST_DATABASE_URL: databaseUrl }));
}

/** Runs the test of a bug with sources that have the bug. */
export async function runWithBug(bug: SeededBug, databaseUrl: string): Promise<Verdict> {
  return inFolder(async (folder) => {
    await writeBuggySources(bug, folder);
    const migrationsOfBug = join(folder, migrations);
    const env = {
      CENTAVO_TEST_DATABASE_URL: databaseUrl,
      CENTAVO_SOURCE_OVERLAY: folder,
      ...(existsSync(migrationsOfBug) ? { CENTAVO_TEST_MIGRATIONS: migrationsOfBug } : {}),
    };
    const [verdict] = await runIn(folder, [bug.caughtBy], env);
    return verdict ?? { kind: 'broken', message: 'no verdict' };
  });
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = join(tmpdir(), `centavo-seeded-bug-${randomUUID()}`);
  await mkdir(folder);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runIn(
  folder: string,
  tests: readonly NamedTest[],
  env: Readonly<Record<string, string>>,
): Promise<readonly Verdict[]> {
  const [{ package: home }] = tests as [NamedTest, ...NamedTest[]];
  const report = join(folder, 'report.json');
  const program = startProgram({
    words: [
      join(repository, 'node_modules/vitest/vitest.mjs'),
      'run',
      ...[...new Set(tests.flatMap(projectOptionsOf))],
      ...new Set(tests.map(({ file }) => file)),
      `--testNamePattern=(?:${tests.map(patternOf).join('|')})$`,
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    cwd: join(repository, home),
    env: { NO_COLOR: '1', ...env },
  });
  const { stdout, stderr } = await program.ended;
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined) return tests.map(() => ({ kind: 'broken', message: stdout + stderr }));
  const { testResults } = JSON.parse(text) as Report;
  return tests.map((test) => verdictOf(test, testResults));
}

/** Returns the vitest options for the projects that may contain the test file. */
function projectOptionsOf({ package: home, file }: NamedTest): string[] {
  if (home !== 'apps/server') return [];
  const suffix = /\.(db|http)\.test\.ts$/.exec(file)?.[1];
  return suffix === undefined ? ['--project=pure'] : [`--project=${suffix}`, '--project=sweeps'];
}

function patternOf({ title }: NamedTest): string {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Placeholders of table-driven tests: `%s` and `$name`.
  return escaped.replace(/%[a-z]|\\\$\w+/g, '.*');
}

/** The fields of vitest's JSON report that this module reads. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

// The message of a failed expectation begins in one of these two ways. The second is that of `.resolves` and `.rejects`.
const ofAnExpectation =
  /^AssertionError|^Error: promise (?:resolved|rejected) ".*" instead of (?:resolving|rejecting)/s;

function verdictOf(test: NamedTest, results: Report['testResults']): Verdict {
  const ofFile = results.find(({ name }) => name.endsWith(`/${test.file}`));
  const pattern = new RegExp(`^${patternOf(test)}$`);
  const ran = (ofFile?.assertionResults ?? []).filter(
    ({ title, status }) => pattern.test(title) && (status === 'passed' || status === 'failed'),
  );
  if (ran.length === 0) return { kind: 'broken', message: ofFile?.message || 'the test did not run' };
  const messages = ran.flatMap(({ failureMessages }) => failureMessages);
  if (messages.length === 0) return { kind: 'passed' };
  const failed = messages.find((message) => ofAnExpectation.test(message));
  return failed === undefined ? { kind: 'broken', message: messages.join('\n') } : { kind: 'caught', message: failed };
}
