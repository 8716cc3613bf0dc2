// `node tools/run.mjs proof`: runs the proofs (the tests in tests/proof) in their long form, all within an hour. The results go to
// docs/proof.json and docs/proof.md.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { amendProof } from './amend-proof.mjs';
import { describeCommit } from './describe-commit.mjs';
import { describeMachine } from './describe-machine.mjs';
import { isProven, renderProof } from './render-proof.mjs';

/** The maximum number of minutes of a run of all proofs. */
const minutesMax = 59;
/** The maximum of `--minutes`; a greater value is reduced to it. */
const chosenMinutesMax = 240;
/** The limits of the proofs in a run of all proofs; {@link last} gets all the time left. Some proofs adapt their size to their limit. */
const minutesOfProofs = {
  'chaos.test.ts': 22,
  'crash-matrix.test.ts': 12,
  'lost-commits.test.ts': 10,
  'change-feed.test.ts': 8,
  'seeded-bugs.test.ts': 8,
  'database-faults.test.ts': 6,
  'duplicate-storm.test.ts': 5,
  'revocation-race.test.ts': 5,
  'bank.test.ts': 4,
  'context-bleed.test.ts': 4,
  'entity-tag-race.test.ts': 4,
  'limiter.test.ts': 4,
  'model.test.ts': 4,
  'raw-sockets.test.ts': 4,
  'soak.test.ts': 4,
  'one-time-codes.test.ts': 3,
  'rolling-restarts.test.ts': 3,
};
const minutesOfOthers = 2;
/** The number of concurrent proofs. Each uses about one core. */
const lanes = 2;
/**
 * This proof runs last and alone, because its three servers, their PostgreSQL and their clients use all cores. With more time, it makes
 * more writes.
 */
const last = 'chaos.test.ts';
const minuteMs = 60_000;

/** If files are chosen by name and `--minutes` is absent, each file except {@link last} gets its minutes times this factor. */
const minutesFactor = 2;
const usage =
  'Usage: node tools/run.mjs proof [part of a name…] [--minutes N] [--short] [--write]\n' +
  '--minutes, --short and --write are allowed only with part of a name.';

/**
 * Runs all proofs if there are no parameters. Otherwise runs the files whose names contain one of the given parts, and prints the
 * results. The apps must be built. The options apply only to chosen files:
 * - `--minutes` sets the time limit of each file. Without it, each file gets twice its minutes, and chaos.test.ts gets the time left.
 *   All files together get at most {@link minutesMax} minutes, or `--minutes` if that is more.
 * - `--short` runs the short form of the files, and marks the results.
 * - `--write` replaces the earlier results of the files in docs/proof.json and docs/proof.md, instead of printing the new ones.
 * @param options.parameters parts of file names, and options
 * @returns whether all proofs completed without violations
 */
export async function runProofs({ root, parameters }) {
  const options = parseOptions(parameters);
  if (options === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const { chosen, minutes: chosenMinutes, isShort, isWritten } = options;
  const isWhole = chosen.length === 0;
  const tests = join(root, 'tests');
  const minutesOf = (file) =>
    chosenMinutes ?? (minutesOfProofs[file] ?? minutesOfOthers) * (isWhole ? 1 : minutesFactor);
  const startedAtMs = Date.now();
  const machine = describeMachine();
  const commit = describeCommit(root);
  const limit = isWhole ? minutesMax : Math.max(minutesMax, chosenMinutes ?? 0);
  const leftMinutes = () => limit - (Date.now() - startedAtMs) / minuteMs;
  const files = readdirSync(join(tests, 'proof'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => isWhole || chosen.some((part) => file.includes(part)))
    .sort((one, other) => minutesOf(other) - minutesOf(one));
  const folder = mkdtempSync(join(tmpdir(), 'centavo-proof-'));
  // If this process runs as root, PostgreSQL runs as another user, which needs access to the folder.
  chmodSync(folder, 0o711);
  const records = [];
  const unfinished = [];
  const prove = async (file, limitMinutes) => {
    const recordsFile = join(folder, `${file}.records`);
    writeFileSync(recordsFile, '');
    const begunAtMs = Date.now();
    const reason = await runProof({ tests, file, limitMinutes, isShort, folder, recordsFile });
    const minutes = Math.round((10 * (Date.now() - begunAtMs)) / minuteMs) / 10;
    const found = recordsIn(recordsFile);
    records.push(
      ...found.map((record) => ({
        ...{ ...record, file, commit, startedAt: new Date(begunAtMs).toISOString(), minutes },
        ...(isShort ? { isShort } : {}),
      })),
    );
    // A skipped proof passes without a record.
    if (reason !== null || found.length === 0) {
      unfinished.push({ file, reason: reason ?? 'recorded nothing; was it skipped?' });
    }
  };
  const queue = files.filter((file) => file !== last);
  const lane = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      await prove(file, Math.min(minutesOf(file), leftMinutes() - reservedMinutes));
    }
  };
  const reservedMinutes = files.includes(last) ? minutesOf(last) : 0;
  await Promise.all(Array.from({ length: lanes }, lane));
  if (files.includes(last)) await prove(last, Math.min(chosenMinutes ?? limit, leftMinutes()));
  const report = {
    startedAt: new Date(startedAtMs).toISOString(),
    minutes: Math.round((Date.now() - startedAtMs) / minuteMs),
    machine,
    files,
    records,
    unfinished,
  };
  if (isWhole) writeReport(root, report);
  else if (isWritten) writeReport(root, amendProof(readReport(root), report));
  else process.stdout.write(renderProof(report));
  // The folder is deleted after the report, because the servers of a stopped proof may still write files.
  await rm(folder, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 }).catch((error) => {
    process.stderr.write(`${folder} could not be deleted: ${error.message}\n`);
  });
  return isProven(report);
}

/** Returns the options, or undefined if they are invalid. */
function parseOptions(parameters) {
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const options = { minutes: { type: 'string' }, short: flag, write: flag };
  try {
    const { values, positionals } = parseArgs({ args: parameters, options, allowPositionals: true });
    const isValid = values.minutes === undefined ? true : /^[1-9]\d{0,2}$/.test(values.minutes);
    if (!isValid || (positionals.length === 0 && parameters.length > 0)) return undefined;
    const minutes = values.minutes === undefined ? undefined : Math.min(chosenMinutesMax, Number(values.minutes));
    return { chosen: positionals, minutes, isShort: values.short, isWritten: values.write };
  } catch {
    return undefined;
  }
}

function readReport(root) {
  const file = join(root, 'docs', 'proof.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}

function writeReport(root, report) {
  writeFileSync(join(root, 'docs', 'proof.json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(root, 'docs', 'proof.md'), renderProof(report));
}

/** Runs one file. @returns null, or the reason why the file did not complete */
function runProof({ tests, file, limitMinutes, isShort, folder, recordsFile }) {
  if (limitMinutes <= 0) return Promise.resolve('there was no time left');
  const vitest = join(dirname(createRequire(join(tests, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  const limitMs = Math.ceil(limitMinutes * minuteMs);
  // Proofs that adapt to their minutes end before this limit.
  const limits = [`--testTimeout=${limitMs}`, `--hookTimeout=${limitMs}`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project=proof', `proof/${file}`, ...limits], {
      cwd: tests,
      env: {
        ...process.env,
        // The files of a stopped proof are deleted with this folder.
        TMPDIR: folder,
        ...(isShort ? {} : { CENTAVO_PROOF: 'long' }),
        CENTAVO_PROOF_MINUTES: String(limitMinutes),
        CENTAVO_PROOF_REPORT: recordsFile,
      },
      stdio: 'inherit',
      // A separate process group, so that a signal also reaches the servers of the proof, which then stop their PostgreSQL.
      detached: true,
    });
    const signalAll = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The process has already ended.
      }
    };
    let stopped = null;
    const stop = () => {
      stopped = `stopped after its ${limitMinutes.toFixed(0)} minutes`;
      signalAll('SIGTERM');
    };
    const interrupt = () => {
      signalAll('SIGTERM');
      // If another proof is running, its own handler must signal its processes before this process exits.
      setImmediate(() => process.exit(143));
    };
    const timer = setTimeout(stop, limitMs);
    const hardTimer = setTimeout(() => signalAll('SIGKILL'), limitMs + minuteMs / 2);
    process.once('SIGTERM', interrupt).once('SIGINT', interrupt);
    child.once('close', (code) => {
      clearTimeout(timer);
      clearTimeout(hardTimer);
      process.off('SIGTERM', interrupt).off('SIGINT', interrupt);
      resolve(stopped ?? (code === 0 ? null : 'failed; see its output'));
    });
  });
}

function recordsIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
