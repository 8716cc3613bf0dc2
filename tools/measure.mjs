// What the benchmarks share: a run of vitest in a folder of its own, the machine, and the pages that are written.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeCommit } from './describe-commit.mjs';
import { describeMachine } from './describe-machine.mjs';
import { formatReport } from './render-bench.mjs';

/**
 * Runs a project of `tests/vitest.config.ts` that measures.
 * @param options.environment what it is asked for
 * @returns what it found with the machine it was on, or undefined where it did not come to its end
 */
export async function measure({ root, project, environment }) {
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const commit = describeCommit(root);
  const folder = mkdtempSync(join(tmpdir(), 'centavo-bench-'));
  // As root PostgreSQL runs as another user, who has to pass through.
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
 * Renews docs/performance.md and docs/benchmarks.json.
 * @param options.place puts the figures into the page
 * @param options.change makes the whole report out of the one that is there, which is empty at first
 */
export function writeFigures({ root, place, change }) {
  const page = join(root, 'docs', 'performance.md');
  const file = join(root, 'docs', 'benchmarks.json');
  writeFileSync(page, place(readFileSync(page, 'utf8')));
  writeFileSync(file, formatReport(change(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {})));
}

/** @returns whether it came to its end */
function runVitest({ root, project, env }) {
  const tests = join(root, 'tests');
  const vitest = join(dirname(createRequire(join(tests, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  // A slow machine is no mistake; this ends only what hangs.
  const limits = ['--testTimeout=7200000', '--hookTimeout=600000'];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project', project, '--reporter=verbose', ...limits], {
      cwd: tests,
      env,
      stdio: 'inherit',
      // A group of its own, so that it is stopped with the server that it started, which takes its PostgreSQL along.
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

/** A server that is told to end still needs its folders for a moment, to stop its PostgreSQL. */
async function untilGroupIsGone(pid) {
  const attemptsMax = 300;
  for (let attempt = 1; attempt <= attemptsMax && signalGroup(pid, 0); attempt += 1) await delay(50);
}

/** @returns whether there is still anybody in the group */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}
