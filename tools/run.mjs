// The commands of package.json, such as `npm start` and `npm test`. This file needs only Node: it installs the
// dependencies with pnpm, builds the required packages, and runs the command. It has no dependencies, because it
// runs before they are installed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chooseTests } from './choose-tests.mjs';
import { fail, loudly, pnpm, quietly, turbo } from './run-npx.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.centavo-install-stamp');
const checks = ['//#lint', 'typecheck', '//#dependency-rules', '//#conformance', '//#map', '//#prose'];
/**
 * A failed task prevents only the tasks that depend on it. The output is grouped by task and omits cached tasks. Most tasks start their
 * own workers, servers and databases: more than two concurrent tasks would be slower and exceed timeouts.
 */
const testOptions = [
  '--concurrency=2',
  '--continue=dependencies-successful',
  '--output-logs=new-only',
  '--log-order=grouped',
];
const [command, ...parameters] = process.argv.slice(2);

/** The temporary files of all tests together take less than this. */
const temporaryBytesMax = 4 * 2 ** 30;

requireNode('20.19');
const commands = {
  start,
  test,
  'test:all': testAll,
  'test:rest': testRest,
  programs,
  build,
  check,
  api,
  schema,
  runtimes,
  proof,
  bench,
  release,
};
if (!Object.hasOwn(commands, command ?? ''))
  fail(`Usage: node tools/run.mjs ${Object.keys(commands).join('|')} [parameters]`);
await install();
await commands[command]();

/** Starts the server inside this process, because a child process would not receive the SIGTERM that is sent to this process. */
async function start() {
  await buildApps();
  const main = join(root, 'apps', 'server', 'dist', 'main.js');
  process.argv = [process.argv[0], main, 'start', ...parameters];
  await import(pathToFileURL(main).href);
}

/** Builds the two apps and prints a line. */
async function buildApps() {
  // Each app bundles the packages from their sources, so the packages need no build.
  const scope = ['--filter=@centavo/server', '--filter=@centavo/cli'];
  await quietly('Building', turbo(['run', 'build', ...scope, '--output-logs=errors-only']));
}

/** Runs the checks and tests that every commit must pass. If words are given, runs only tests whose path contains one of the words. */
async function test() {
  useMemoryForTemporaryFiles();
  if (parameters.length > 0) return testChosen();
  await loudly(turbo(['run', ...checks, 'test', ...testOptions]));
}

/**
 * Runs all tests whose path contains one of the words, in each workspace that has such a file. For each matching file that it does not
 * run, prints the command that does. Fails if it runs no file.
 */
async function testChosen() {
  const chosen = chooseTests({ root, workspaces: workspaces(), words: parameters });
  // A word may match files of one task and none of another task.
  const vitestOptions = ['--', '--passWithNoTests', ...chosen.words];
  const options = ['--output-logs=full', '--concurrency=2', '--continue=dependencies-successful', ...vitestOptions];
  const filters = chosen.workspaces.map((folder) => `--filter=./${folder}`);
  const runs = [];
  if (filters.length > 0) runs.push(['run', 'test', 'test:rest', ...filters, ...options]);
  if (chosen.hasPackageTests) runs.push(['run', 'test:package', ...options]);
  if (chosen.hasProgramTests) runs.push(['run', 'test:programs', ...options]);
  await inOrder(runs.map((args) => () => loudly(turbo(args))));
  const others = chosen.longTests.map(({ path, command }) => `Not run: ${path}. Run it with: ${command}`).join('\n');
  if (runs.length > 0) process.stdout.write(others === '' ? '' : `${others}\n`);
  else if (others !== '') fail(others);
  else fail(`No path of a test file contains ${parameters.join(' or ')}. Use a part of the path, such as "movements".`);
}

/** Runs the tests of `test`, then the rest. The long proofs and other runtimes have their own commands. */
async function testAll() {
  await inOrder([test, testRest]);
}

/** Runs the tests that `test` omits, such as the longer acceptance tests, the short proofs, and the tests of packed programs. */
async function testRest() {
  useMemoryForTemporaryFiles();
  await loudly(turbo(['run', 'test:package', 'test:rest', 'test:programs', ...testOptions]));
}

/**
 * Makes tests put their temporary files into memory on Linux, if enough memory is free. Most tests create databases and home directories.
 * On a disk, the tests take up to 50 % longer.
 */
function useMemoryForTemporaryFiles() {
  const folder = '/dev/shm';
  if (process.env.TMPDIR !== undefined || !existsSync(folder)) return;
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`tmpfs ${folder} `));
  // Some tests install programs, which must be executable.
  if (mount === undefined || /\bnoexec\b/.test(mount)) return;
  const { bavail, bsize } = statfsSync(folder);
  if (Math.min(bavail * bsize, freemem()) >= 2 * temporaryBytesMax) process.env.TMPDIR = folder;
}

/** Runs each step even if an earlier step failed, and keeps the first failing exit code. */
async function inOrder(steps) {
  let firstFailure = 0;
  for (const step of steps) {
    await step();
    firstFailure ||= process.exitCode ?? 0;
  }
  process.exitCode = firstFailure;
}

/** Packs the server and the CLI, installs them with npm and pnpm, and tests the installed programs. */
async function programs() {
  await loudly(turbo(['run', 'test:programs', '--output-logs=new-only', ...parameters]));
}

/** Builds the two apps and the packages for publication. */
async function build() {
  await loudly(turbo(['run', 'build', ...parameters]));
}

/** Runs the checks of `test` without the tests. Each check runs even if another one fails. */
async function check() {
  await loudly(turbo(['run', ...checks, ...testOptions, ...parameters]));
}

/** Updates the API reports of the published packages (`packages/<package>/etc`) after an intended change. */
async function api() {
  await loudly(turbo(['run', 'api', ...parameters]));
}

/** Updates `apps/server/schema.sql`, the schema after all migrations, after an intended change. */
async function schema() {
  await loudly(turbo(['run', 'schema', ...parameters]));
}

/**
 * Tests the packed packages, the server and the CLI in all supported runtimes, and tests MCP with its conformance suite.
 * The runtimes and the suite are downloaded with npx.
 */
async function runtimes() {
  await loudly(turbo(['run', 'test:runtimes', ...parameters]));
}

/**
 * Runs the long proofs within an hour and writes docs/proof.md. With parameters, runs only the files that they name, each with more time,
 * and prints the result. With --write, updates the page instead.
 */
async function proof() {
  await buildApps();
  const { runProofs } = await import('./run-proofs.mjs');
  process.exitCode = (await runProofs({ root, parameters })) ? 0 : 1;
}

/**
 * Runs the benchmark and writes docs/performance.md; `bench growth` measures the effect of growing data, and
 * `bench deliveries` measures webhooks. The names of workloads choose a part of the benchmark, and options such as `--rounds` change its
 * size. With any of them, the result is only printed.
 */
async function bench() {
  await buildApps();
  const { runBench } = await import('./run-bench.mjs');
  const { runGrowth } = await import('./run-growth.mjs');
  const { runDeliveries } = await import('./run-deliveries.mjs');
  const [first, ...others] = parameters;
  const special = { growth: runGrowth, deliveries: runDeliveries }[first];
  const isDone = special === undefined ? runBench({ root, parameters }) : special({ root, parameters: others });
  process.exitCode = (await isDone) ? 0 : 1;
}

/** Releases all packages if there are changesets. With --dry-run, publishes nothing and restores the working tree. */
async function release() {
  const { release: releasePackages } = await import('./release.mjs');
  process.exitCode = (await releasePackages({ root, parameters })) ? 0 : 1;
}

/** Installs the dependencies of pnpm-lock.yaml, unless the last install had the same inputs. */
async function install() {
  const stamp = stampOfManifests();
  const isInstalled = workspaces().every((folder) => existsSync(join(root, folder, 'node_modules')));
  if (isInstalled && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  await quietly('Installing dependencies', pnpm(['install', '--frozen-lockfile', '--prefer-offline']));
  writeFileSync(stampFile, stamp);
}

/** Returns the folders of the packages that pnpm-workspace.yaml includes. */
function workspaces() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return [...folders, 'tests'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** Returns a hash of all inputs of an install. */
function stampOfManifests() {
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.npmrc'];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of [...files, ...workspaces().map((folder) => join(folder, 'package.json'))]) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function requireNode(least) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(
    `Centavo needs Node ${least} or newer; this is Node ${process.versions.node}. Install a newer version from https://nodejs.org.`,
  );
}
