// Shared by the benchmarks: runs vitest with a temporary folder for its files, and writes the results to docs/.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { describeCommit } from './describe-commit.mjs';
import { describeMachine } from './describe-machine.mjs';
import { formatReport } from './render-bench.mjs';

/**
 * Runs a benchmark project of `tests/vitest.config.ts`.
 * @param options.environment the environment variables of the project
 * @returns the results and the machine, or undefined if the run did not complete
 */
export async function measure({ root, project, environment }) {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const commit = describeCommit(root);
  const folder = mkdtempSync(join(tmpdir(), 'centavo-bench-'));
  // If this process runs as root, PostgreSQL runs as another user, which needs access to the folder.
  chmodSync(folder, 0o711);
  const resultsFile = join(folder, 'results');
  try {
    const env = { ...process.env, ...environment, TMPDIR: folder, CENTAVO_BENCH_RESULTS: resultsFile };
    if (!(await runVitest({ root, project, env }))) return undefined;
    return { startedAt, commit, machine, ...JSON.parse(readFileSync(resultsFile, 'utf8')) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 });
  }
}

/**
 * Runs the vitest project that measures a section of docs/performance.md, and prints the section.
 * @param options.project the name of the vitest project, and the key of its results in docs/benchmarks.json
 * @param options.isWritten whether to also write the section to the page, and the results to docs/benchmarks.json
 * @param options.render renders the results as the section
 * @param options.place replaces the section in the page
 * @returns whether the run completed
 */
export async function measureSection({ root, project, environment, isWritten, render, place }) {
  const results = await measure({ root, project, environment });
  if (results === undefined) return false;
  const section = render(results);
  process.stdout.write(`\n${section}`);
  if (isWritten) {
    writeFigures({
      root,
      place: (page) => place(page, section),
      change: (report) => ({ ...report, [project]: results }),
    });
  }
  return true;
}

/** Returns the parsed parameters of a benchmark, or undefined if they are malformed. */
export function parseParameters(parameters, config) {
  try {
    return parseArgs({ args: parameters, ...config });
  } catch {
    return undefined;
  }
}

/**
 * Updates docs/performance.md and docs/benchmarks.json.
 * @param options.place inserts the results into the page
 * @param options.change returns the new report from the existing one, or from `{}` if docs/benchmarks.json does not exist
 */
export function writeFigures({ root, place, change }) {
  const page = join(root, 'docs', 'performance.md');
  const file = join(root, 'docs', 'benchmarks.json');
  writeFileSync(page, place(readFileSync(page, 'utf8')));
  writeFileSync(file, formatReport(change(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})));
}

/** @returns whether the run completed */
function runVitest({ root, project, env }) {
  const tests = join(root, 'tests');
  const vitest = join(dirname(createRequire(join(tests, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  // These limits only end a run that hangs. They are long enough for slow machines.
  const limits = ['--testTimeout=7200000', '--hookTimeout=600000'];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project', project, '--reporter=verbose', ...limits], {
      cwd: tests,
      env,
      stdio: 'inherit',
      // A separate process group, so that a signal also reaches the server of the run, which then stops its PostgreSQL.
      detached: true,
    });
    const stop = () => signalGroup(child.pid, 'SIGTERM');
    process.once('SIGTERM', stop).once('SIGINT', stop);
    child.once('close', async (code) => {
      process.off('SIGTERM', stop).off('SIGINT', stop);
      await untilGroupIsGone(child.pid);
      resolve(code === 0);
    });
  });
}

/** Waits up to 15 s for the processes of the group to end: a stopping server needs the folder until its PostgreSQL has stopped. */
async function untilGroupIsGone(pid) {
  const attemptsMax = 300;
  for (let attempt = 1; attempt <= attemptsMax && signalGroup(pid, 0); attempt += 1) await delay(50);
}

/** @returns whether the group still has a process */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
