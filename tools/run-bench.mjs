// `node tools/run.mjs bench`: measures the built server against pgbench, and the command line by itself. What a whole
// run finds goes to docs/benchmarks.json and into docs/performance.md. No figure makes it fail.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { formatReport, placeFigures, renderBench } from './render-bench.mjs';

export const workloadIds = ['W1', 'W2', 'W3', 'W4', 'W5', 'W6', 'W7', 'W8'];
const usage = `Usage: node tools/run.mjs bench [${workloadIds.join('|')}]… [--rounds 5] [--seconds 5] [--rows 100000]`;
const pgbenchRemedy =
  'pgbench is missing, so there are no ratios. On Debian it comes with PostgreSQL: apt-get install postgresql';

/**
 * Runs the benchmark; the apps are built by now.
 * @param options.parameters names of workloads, and options for a quick look; with any, nothing is written
 * @returns whether it came to its end
 */
export async function runBench({ root, parameters }) {
  const wishes = readWishes(parameters);
  if (wishes === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const startedAt = new Date().toISOString();
  const machine = describeMachine();
  const folder = mkdtempSync(join(tmpdir(), 'centavo-bench-'));
  // As root PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const resultsFile = join(folder, 'results');
  try {
    if (!(await measure({ root, folder, resultsFile, wishes }))) return false;
    const report = { startedAt, machine, ...JSON.parse(readFileSync(resultsFile, 'utf8')) };
    if (report.pgbench === null) process.stderr.write(`${pgbenchRemedy}\n`);
    process.stdout.write(`\n${renderBench(report)}`);
    if (parameters.length === 0) writePage(root, report);
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 });
  }
}

/** What was asked for, or undefined where it is not understood. */
export function readWishes(parameters) {
  const options = {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    rows: { type: 'string', default: '100000' },
  };
  try {
    const { values, positionals } = parseArgs({ args: parameters, options, allowPositionals: true });
    const isUnderstood =
      Object.values(values).every((value) => /^[1-9]\d{0,6}$/.test(value)) &&
      positionals.every((name) => workloadIds.includes(name));
    return isUnderstood ? { ...values, chosen: positionals } : undefined;
  } catch {
    return undefined;
  }
}

/** @returns whether it came to its end */
function measure({ root, folder, resultsFile, wishes }) {
  const tests = join(root, 'tests');
  const vitest = join(dirname(createRequire(join(tests, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  // A slow machine is no mistake; this ends only what hangs.
  const limits = ['--testTimeout=3600000', '--hookTimeout=600000'];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project', 'bench', '--reporter=verbose', ...limits], {
      cwd: tests,
      env: {
        ...process.env,
        TMPDIR: folder,
        CENTAVO_BENCH_CHOSEN: wishes.chosen.join(' '),
        CENTAVO_BENCH_ROUNDS: wishes.rounds,
        CENTAVO_BENCH_SECONDS: wishes.seconds,
        CENTAVO_BENCH_ROWS: wishes.rows,
        CENTAVO_BENCH_RESULTS: resultsFile,
      },
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

function writePage(root, report) {
  const page = join(root, 'docs', 'performance.md');
  writeFileSync(page, placeFigures(readFileSync(page, 'utf8'), renderBench(report)));
  writeFileSync(join(root, 'docs', 'benchmarks.json'), formatReport(report));
}

function describeMachine() {
  return {
    processor: cpus()[0]?.model.trim() ?? 'an unknown processor',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    node: process.versions.node,
    load: process.platform === 'win32' ? null : loadavg()[0],
  };
}
