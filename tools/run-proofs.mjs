// `node tools/run.mjs proof`: the proofs of tests/proof with their long figures, one file after the other, within an hour. What they find
// goes to docs/proof.json and docs/proof.md.
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

const minutesMax = 59;
/** How many minutes a proof may take; those that know it do as much as fits. */
const shares = {
  'chaos.test.ts': 22,
  'crash-matrix.test.ts': 12,
  'lost-commits.test.ts': 10,
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
const shareOfOthers = 2;
/** So many at once: each keeps about one core busy. */
const lanes = 2;
/** Runs by itself, because its three servers, their PostgreSQL and their clients want every core; it does the more the longer it has. */
const last = 'chaos.test.ts';
const minuteMs = 60_000;

/** Names that are given alone may take that much longer, unless told how long: nobody waits for the rest. */
const patience = 2;
const usage =
  'Usage: node tools/run.mjs proof [part of a name…] [--minutes N] [--write]; --minutes and --write take names';

/**
 * Runs the proofs; the apps are built by now.
 * @param options.parameters parts of file names; with any, only those run, each in twice its share or in `--minutes`, and what
 *   they find is printed, or with `--write` takes the place of what docs/proof.json and docs/proof.md say of them
 * @returns whether everything was proven
 */
export async function runProofs({ root, parameters }) {
  const wishes = readWishes(parameters);
  if (wishes === undefined) {
    process.stderr.write(`${usage}\n`);
    return false;
  }
  const { chosen, minutes, isWritten } = wishes;
  const isWhole = chosen.length === 0;
  const tests = join(root, 'tests');
  const shareOf = (file) => minutes ?? (shares[file] ?? shareOfOthers) * (isWhole ? 1 : patience);
  const startedAtMs = Date.now();
  const machine = describeMachine();
  const commit = describeCommit(root);
  const leftMinutes = () => minutesMax - (Date.now() - startedAtMs) / minuteMs;
  const files = readdirSync(join(tests, 'proof'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => isWhole || chosen.some((part) => file.includes(part)))
    .sort((one, other) => shareOf(other) - shareOf(one));
  const folder = mkdtempSync(join(tmpdir(), 'centavo-proof-'));
  // As root PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const records = [];
  const unfinished = [];
  const prove = async (file, share) => {
    const recordsFile = join(folder, `${file}.records`);
    writeFileSync(recordsFile, '');
    const begunAtMs = Date.now();
    const reason = await runProof({ tests, file, share, folder, recordsFile });
    const minutes = Math.round((10 * (Date.now() - begunAtMs)) / minuteMs) / 10;
    const found = recordsIn(recordsFile);
    records.push(
      ...found.map((record) => ({ ...record, file, commit, startedAt: new Date(begunAtMs).toISOString(), minutes })),
    );
    // One that was skipped passes, and proves nothing.
    if (reason !== null || found.length === 0) {
      unfinished.push({ file, reason: reason ?? 'recorded nothing; was it skipped?' });
    }
  };
  const queue = files.filter((file) => file !== last);
  const lane = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
      await prove(file, Math.min(shareOf(file), leftMinutes() - keptForLast));
    }
  };
  const keptForLast = files.includes(last) ? shareOf(last) : 0;
  await Promise.all(Array.from({ length: lanes }, lane));
  if (files.includes(last)) await prove(last, Math.min(minutes ?? minutesMax, leftMinutes()));
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
  // After the report: the servers of a proof that had to be stopped may still be writing when the hour is over.
  await rm(folder, { recursive: true, force: true, maxRetries: 12, retryDelay: 100 }).catch((error) => {
    process.stderr.write(`${folder} could not be deleted: ${error.message}\n`);
  });
  return isProven(report);
}

/** What was asked for, or undefined where it is not understood. */
function readWishes(parameters) {
  const options = { minutes: { type: 'string' }, write: { type: 'boolean', default: false } };
  try {
    const { values, positionals } = parseArgs({ args: parameters, options, allowPositionals: true });
    const isUnderstood = values.minutes === undefined ? true : /^[1-9]\d?$/.test(values.minutes);
    if (!isUnderstood || (positionals.length === 0 && parameters.length > 0)) return undefined;
    const minutes = values.minutes === undefined ? undefined : Math.min(minutesMax, Number(values.minutes));
    return { chosen: positionals, minutes, isWritten: values.write };
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

/** Runs one file. @returns null, or why it did not come to a good end */
function runProof({ tests, file, share, folder, recordsFile }) {
  if (share <= 0) return Promise.resolve('there was no time left');
  const vitest = join(dirname(createRequire(join(tests, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  const shareMs = Math.ceil(share * minuteMs);
  // Proofs that know their share end by themselves before it is over.
  const limits = [`--testTimeout=${shareMs}`, `--hookTimeout=${shareMs}`];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [vitest, 'run', '--project=proof', `proof/${file}`, ...limits], {
      cwd: tests,
      env: {
        ...process.env,
        // What a proof that has to be stopped leaves behind is deleted with the rest.
        TMPDIR: folder,
        CENTAVO_PROOF: 'long',
        CENTAVO_PROOF_MINUTES: String(share),
        CENTAVO_PROOF_REPORT: recordsFile,
      },
      stdio: 'inherit',
      // A group of its own, so that it is stopped with all the servers that it started; those take their PostgreSQL along.
      detached: true,
    });
    const signalAll = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // It has ended in the meantime.
      }
    };
    let stopped = null;
    const stop = () => {
      stopped = `stopped after its ${share.toFixed(0)} minutes`;
      signalAll('SIGTERM');
    };
    const interrupt = () => {
      signalAll('SIGTERM');
      // The other lane hears of it too.
      setImmediate(() => process.exit(143));
    };
    const timer = setTimeout(stop, shareMs);
    const hardTimer = setTimeout(() => signalAll('SIGKILL'), shareMs + minuteMs / 2);
    process.once('SIGTERM', interrupt).once('SIGINT', interrupt);
    child.once('close', (code) => {
      clearTimeout(timer);
      clearTimeout(hardTimer);
      process.off('SIGTERM', interrupt).off('SIGINT', interrupt);
      resolve(stopped ?? (code === 0 ? null : 'failed; its output tells why'));
    });
  });
}

function recordsIn(file) {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
