// `npm start`, `npm test`, `npm run build` and `npm run check` on a machine that has Node and nothing else: this file installs pnpm's copy of the
// dependencies, builds what is needed, and only then does the work. It has no dependencies, because it runs before there are any.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stampFile = join(root, 'node_modules', '.centavo-install-stamp');
const checks = ['//#lint', 'typecheck', '//#dependency-rules', '//#conformance', '//#map', 'build', 'test:package'];
/** For the last words of those who were ended. */
const graceMs = 5_000;
const [command, ...parameters] = process.argv.slice(2);

requireNode('20.19');
const commands = { start, test, build, check, api, schema, runtimes, proof, bench };
if (!Object.hasOwn(commands, command ?? ''))
  fail(`Usage: node tools/run.mjs ${Object.keys(commands).join('|')} [parameters]`);
await install();
await commands[command]();

/** Starts the server inside this process, so that Ctrl-C and SIGTERM reach it: npm, as a parent, does not pass SIGTERM on. */
async function start() {
  await buildApps();
  const main = join(root, 'apps', 'server', 'dist', 'main.js');
  process.argv = [process.argv[0], main, 'start', ...parameters];
  await import(pathToFileURL(main).href);
}

/** Builds the two programs, and prints a line. */
async function buildApps() {
  // Each of the two bundles the packages it uses from their sources, so nothing else needs building.
  const scope = ['--filter=@centavo/server', '--filter=@centavo/cli'];
  await quietly('Building', turbo(['run', 'build', ...scope, '--output-logs=errors-only']));
}

/** Everything CI asks for. With parameters: only the tests that they choose, as `vitest run` understands them. */
async function test() {
  // A formatting mistake shall not hide what the tests say; and each task's output in one piece, without what was cached.
  const howToTell = ['--continue=dependencies-successful', '--output-logs=new-only', '--log-order=grouped'];
  // Most tasks start workers, servers and databases of their own: more at once would not be faster, only later than expected.
  const tasks = [...checks, 'test', '--concurrency=2', ...howToTell];
  const chosen = ['test', '--output-logs=full', '--', '--passWithNoTests', ...parameters];
  await loudly(turbo(['run', ...(parameters.length === 0 ? tasks : chosen)]));
}

/** Builds everything: the two apps, and the packages as they would be published. */
async function build() {
  await loudly(turbo(['run', 'build', ...parameters]));
}

/** What `test` does, without running the tests. */
async function check() {
  await loudly(turbo(['run', ...checks, ...parameters]));
}

/** Renews the reports of what the published packages offer (`packages/<package>/etc`), for a change that is meant. */
async function api() {
  await loudly(turbo(['run', 'api', ...parameters]));
}

/** Renews `apps/server/schema.sql`, the schema after all migrations, for a change that is meant. */
async function schema() {
  await loudly(turbo(['run', 'schema', ...parameters]));
}

/** Tries the published packages in the runtimes they are for, which npx fetches, and prints a table. */
async function runtimes() {
  await loudly(turbo(['run', 'test:runtimes', ...parameters]));
}

/** Runs the proofs with their long figures, within an hour, and writes docs/proof.md. With parameters: only those files, and prints it or, with --write, amends the page. */
async function proof() {
  await buildApps();
  const { runProofs } = await import('./run-proofs.mjs');
  process.exitCode = (await runProofs({ root, parameters })) ? 0 : 1;
}

/** Measures the built programs, and writes docs/performance.md; `growth` measures them in ever larger books. With parameters: only those workloads, or a quick look, and prints it. */
async function bench() {
  await buildApps();
  const { runBench } = await import('./run-bench.mjs');
  const { runGrowth } = await import('./run-growth.mjs');
  const isOfGrowth = parameters[0] === 'growth';
  const isDone = isOfGrowth ? runGrowth({ root, parameters: parameters.slice(1) }) : runBench({ root, parameters });
  process.exitCode = (await isDone) ? 0 : 1;
}

/** Installs the dependencies exactly as pnpm-lock.yaml names them, unless that was already done for these very files. */
async function install() {
  const stamp = stampOfManifests();
  const isInstalled = workspaces().every((folder) => existsSync(join(root, folder, 'node_modules')));
  if (isInstalled && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  await quietly('Installing dependencies', pnpm(['install', '--frozen-lockfile', '--prefer-offline']));
  writeFileSync(stampFile, stamp);
}

/** The folders of the packages that pnpm-workspace.yaml names. */
function workspaces() {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(parent, name)),
  );
  return [...folders, 'tests'].filter((folder) => existsSync(join(root, folder, 'package.json')));
}

/** A hash over everything an install depends on. */
function stampOfManifests() {
  const files = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.npmrc'];
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of [...files, ...workspaces().map((folder) => join(folder, 'package.json'))]) {
    const path = join(root, file);
    if (existsSync(path)) hash.update(`\0${file}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** The pnpm that package.json names, fetched by npx: corepack is not everywhere, and the newest pnpm needs a newer Node. */
function pnpm(words) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['--prefer-offline', '-y', packageManager, ...words];
}

/** turbo, by way of pnpm: it looks for pnpm on the PATH. Plain lines, because a terminal interface would hide the output at the end. */
function turbo(words) {
  const [run, ...rest] = words;
  return pnpm(['exec', 'turbo', run, '--ui=stream', ...rest]);
}

/** Runs npx, prints one line, and everything only if it fails. */
async function quietly(title, words) {
  const started = performance.now();
  const { code, output } = await npx(words, 'pipe');
  if (code !== 0) {
    process.stderr.write(output);
    fail(`${title} failed; the output above tells why.`, code);
  }
  process.stderr.write(`${title}: done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Runs npx with its output on ours, and ends with its exit code. In a log what failed is told once more at its end. */
async function loudly(words) {
  if (process.stdout.isTTY) {
    process.exitCode = (await npx(words, 'inherit')).code;
    return;
  }
  // Whoever reads may leave before the end.
  process.stdout.on('error', () => {});
  const { code, output } = await npx(words, 'pipe', (chunk) => process.stdout.write(chunk));
  process.exitCode = code;
  const failures = code === 0 ? [] : tellFailures(output);
  if (failures.length > 0) process.stdout.write(`\nWhat failed, from the output above:\n${failures.join('\n')}\n`);
}

/** The first lines of each failure of a test, without colours. */
function tellFailures(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const each = lines.flatMap((line, at) =>
    /\sFAIL\s.*\.test\.ts/.test(line) ? [lines.slice(at, at + 12).join('\n')] : [],
  );
  return each.slice(0, 10);
}

/** @param watch is given what is printed, as it comes */
function npx(words, output, watch = () => {}) {
  return new Promise((resolve) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(isWindows ? 'npx.cmd' : 'npx', words, {
      cwd: root,
      env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', ...trustCheckout(process.env) },
      stdio: ['inherit', output, output],
      shell: isWindows,
    });
    let text = '';
    const keep = (chunk) => {
      text += chunk;
      watch(chunk);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
    // Ctrl-C reaches the child by itself, but SIGTERM reaches only us.
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    child.once('error', (error) => resolve({ code: 1, output: `npx does not start: ${error.message}\n` }));
    // What it started and left behind may hold the pipe for ever.
    const letGo = () => {
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
    };
    child.once('exit', () => setTimeout(letGo, graceMs).unref());
    child.once('close', (code, signal) => {
      process.removeListener('SIGTERM', stop);
      // Whoever asked us to end wants no server, not even after an install that finished.
      if (signal !== null) process.exit(143);
      resolve({ code: code ?? 1, output: text });
    });
  });
}

/** Lets git, which turbo asks for file hashes, read a checkout of another user, such as one mounted into a container. */
function trustCheckout(environment) {
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.directory',
    [`GIT_CONFIG_VALUE_${count}`]: root,
  };
}

function requireNode(least) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [leastMajor, leastMinor] = least.split('.').map(Number);
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return;
  fail(
    `Centavo needs Node ${least} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.`,
  );
}

function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
