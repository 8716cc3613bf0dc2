// Runs pnpm and turbo through npx. `quietly` prints one line. `loudly` prints the output, and repeats the failures at the end.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFailures } from './choose-tests.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** The time after the exit of npx in which the programs that it started may still write output. */
const graceMs = 5_000;

/**
 * Returns the arguments of npx for the version of pnpm that package.json names. Not every machine has Corepack, which would
 * select this version.
 */
export function pnpm(args) {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['--prefer-offline', '-y', packageManager, ...args];
}

/**
 * Returns the arguments of npx that start turbo through pnpm. Turbo searches the PATH for pnpm, and npx adds pnpm to the PATH.
 * `--ui=stream` is set, because the default interface of turbo hides the output when it ends.
 */
export function turbo(args) {
  const [run, ...rest] = args;
  return pnpm(['exec', 'turbo', run, '--ui=stream', ...rest]);
}

/** Runs npx and prints one line. If npx fails, prints the whole output and ends this process. */
export async function quietly(title, args) {
  const started = performance.now();
  const { code, output } = await npx(args);
  if (code !== 0) {
    process.stderr.write(output);
    fail(`${title} failed; see the output above.`, code);
  }
  process.stderr.write(`${title}: done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** Runs npx, prints its output, and repeats the failures at the end. Sets the exit code of this process to that of npx. */
export async function loudly(args) {
  // The reader of the output may close the pipe early. This must not end the process.
  process.stdout.on('error', () => {});
  const { code, output } = await npx(args, (chunk) => process.stdout.write(chunk));
  process.exitCode = code;
  const failures = code === 0 ? [] : findFailures(output);
  if (failures.length > 0) process.stdout.write(`\nFailures in the output above:\n${failures.join('\n')}\n`);
}

/** @param watch called with each part of the output as it arrives */
function npx(args, watch = () => {}) {
  return new Promise((resolve) => {
    const isWindows = process.platform === 'win32';
    const child = spawn(isWindows ? 'npx.cmd' : 'npx', args, {
      cwd: root,
      env: { ...process.env, ...colours(process.env), TURBO_TELEMETRY_DISABLED: '1', ...trustCheckout(process.env) },
      stdio: ['inherit', 'pipe', 'pipe'],
      shell: isWindows,
    });
    let text = '';
    const keep = (chunk) => {
      text += chunk;
      watch(chunk);
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
    // Ctrl-C reaches the child directly, but SIGTERM reaches only this process.
    const stop = () => child.kill('SIGTERM');
    process.once('SIGTERM', stop);
    child.once('error', (error) => resolve({ code: 1, output: `npx does not start: ${error.message}\n` }));
    // Programs that the child started may keep the pipe open, so this process closes it after `graceMs`.
    const closePipes = () => {
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
    };
    child.once('exit', () => setTimeout(closePipes, graceMs).unref());
    child.once('close', (code, signal) => {
      process.removeListener('SIGTERM', stop);
      // A signal ended npx. This process ends too, so that the caller starts neither a server nor another task.
      if (signal !== null) process.exit(143);
      resolve({ code: code ?? 1, output: text });
    });
  });
}

/** Enables colours if this process writes to a terminal, although the child writes to a pipe. */
function colours(environment) {
  return process.stdout.isTTY && environment.NO_COLOR === undefined ? { FORCE_COLOR: '1' } : {};
}

/**
 * Allows git, which turbo uses for file hashes, to read a checkout of another user, such as a checkout that is
 * mounted into a container.
 */
function trustCheckout(environment) {
  const count = Number(environment.GIT_CONFIG_COUNT ?? 0);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'safe.directory',
    [`GIT_CONFIG_VALUE_${count}`]: root,
  };
}

/** Prints the message and ends this process. */
export function fail(message, code = 1) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
