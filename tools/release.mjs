// Prepares a release (versions, changelogs, licences, checks, tarballs, SBOMs), and then publishes it. See docs/releasing.md.
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isPublished, planProvenance, reasonNotToPublish, subjectOf } from './plan-release.mjs';
import { renderBundledPackages, renderPrebuiltBundle } from './render-third-party.mjs';

/** The folders of the published packages, each after its dependencies. */
const folders = ['packages/contracts', 'packages/sdk', 'packages/statement-reader', 'apps/server', 'apps/cli'];
/** The files with the version constants, which the packages print or send. */
const versionFiles = ['packages/sdk/src/version.ts', 'apps/server/src/version.ts', 'apps/cli/src/version.ts'];

/** The processes of a stopped program are killed if they take longer than this to end. */
const groupEndMsMax = 15_000;
/** The program that runs now, and the signal that ended the release. */
const running = { child: undefined, signal: undefined };

/**
 * Releases all packages if there are changesets, or continues a release that was committed but not completely published. With
 * `--dry-run`, nothing is committed or published. The working tree is restored after a dry run, and after a failure or a signal before
 * the commit. The tarballs and SBOMs stay in `release/`.
 * @returns whether every step succeeded
 */
export async function release({ root, parameters }) {
  const isDryRun = parameters.includes('--dry-run');
  const { packageManager } = readJson(join(root, 'package.json'));
  const pnpm = (args, options) => run(root, 'npx', ['--prefer-offline', '-y', packageManager, ...args], options);
  if (capture(root, 'git', ['status', '--porcelain']) !== '') {
    process.stderr.write('The working tree has changes. Commit or stash them, then release again.\n');
    return false;
  }
  const state = { hasChanges: false };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  try {
    if (!isDryRun) requirePublication(root);
    state.hasChanges = true;
    await prepare({ root, pnpm });
    if (!isDryRun) await publish({ root, pnpm, state });
    return true;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return false;
  } finally {
    if (state.hasChanges) restore(root);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stop);
  }
}

/** Makes and checks everything that is published. */
async function prepare({ root, pnpm }) {
  const output = join(root, 'release');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  title('Versions and changelogs');
  await pnpm(['exec', 'changeset', 'version']);
  writeVersions(root);
  await run(root, 'git', ['--no-pager', 'diff', '--stat', '--', '.']);
  await run(root, 'git', ['--no-pager', 'diff', '--unified=0', '--', '*/CHANGELOG.md']);

  title('Build and licences of bundled packages');
  await run(root, 'node', ['tools/run.mjs', 'build', '--output-logs=errors-only']);
  await writeThirdParty({ root, output, pnpm });
  await run(root, 'npx', ['biome', 'format', '--write', '.changeset', 'packages', 'apps', '--log-level=error']);

  title('Checks: publint, attw, size, API reports, installed programs');
  await pnpm(['exec', 'turbo', 'run', 'test:package', 'test:programs', '--ui=stream', '--output-logs=new-only']);

  title('Tarballs');
  const tarballs = await packAll({ root, output, pnpm });
  for (const tarball of tarballs) await run(root, 'npx', ['publint', 'run', tarball, '--strict']);

  title('SBOM and audit of an installation');
  await describeInstallation({ root, output, tarballs });
  title('Provenance');
  process.stdout.write(`${provenanceOf(root).note}\n`);
}

/** @throws Error if there is nothing to publish, or the user is not logged in to the registry */
function requirePublication(root) {
  const reason = reasonNotToPublish({
    hasChangesets: readdirSync(join(root, '.changeset')).some((name) => name.endsWith('.md') && name !== 'README.md'),
    version: readManifests(root)[0].version,
    lastSubject: capture(root, 'git', ['log', '-1', '--format=%s']).trim(),
  });
  if (reason !== null) throw new Error(reason);
  requireLogin(root);
}

function requireLogin(root) {
  if (spawnSync('npm', ['whoami'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0) return;
  throw new Error('You are not logged in to the registry. Run `npm login`, then release again.');
}

/** Restores the files of the last commit. */
function restore(root) {
  // git has its own process group, so that a second Ctrl-C does not interrupt it.
  const options = { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true };
  spawnSync('git', ['restore', '--staged', '--worktree', '.'], options);
  // The first release of a package creates its changelog. `git restore` does not delete such a new file.
  const created = ['packages/*/CHANGELOG.md', 'apps/*/CHANGELOG.md'];
  spawnSync('git', ['clean', '--quiet', '--force', '--', ...created], options);
  process.stdout.write('The working tree is restored. To restore `dist/` too, run `npm run build`.\n');
}

/** Sets each version constant to the version in the package.json of its package. */
function writeVersions(root) {
  for (const file of versionFiles) {
    const { version } = readJson(join(root, dirname(dirname(file)), 'package.json'));
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/= '[^']*'/, `= '${version}'`));
  }
}

/** Writes THIRD-PARTY.md of both programs, and the SBOM of the bundle of the CLI. */
async function writeThirdParty({ root, output, pnpm }) {
  const cli = join(root, 'apps', 'cli');
  const sbom = join(output, 'cli-bundle.cdx.json');
  await pnpm(['--filter=@centavo/cli', 'exec', 'tsup', '--metafile', '--silent']);
  const metafile = join('dist', 'metafile-esm.json');
  const options = ['--gather-license-texts', '--output-reproducible', '--no-validate', '--output-file', sbom];
  await run(cli, join(root, 'node_modules', '.bin', 'cyclonedx-esbuild'), [...options, metafile]);
  writeFileSync(join(cli, 'THIRD-PARTY.md'), renderBundledPackages(readJson(sbom)));

  const server = join(root, 'apps', 'server');
  const entry = createRequire(join(server, 'package.json')).resolve('@scalar/api-reference');
  const page = renderPrebuiltBundle({
    file: 'dist/reference.js',
    manifest: readJson(join(dirname(entry), '..', 'package.json')),
    sources: readJson(join(dirname(entry), 'browser', 'standalone.js.map')).sources,
  });
  writeFileSync(join(server, 'THIRD-PARTY.md'), page);
}

/** Packs all packages with pnpm, because npm keeps `workspace:*` and ignores `publishConfig.exports`. Prints their sizes. */
async function packAll({ root, output, pnpm }) {
  const packages = readManifests(root);
  await pnpm([...packages.map(({ name }) => `--filter=${name}`), 'pack', '--pack-destination', output]);
  return packages.map(({ name, version }) => {
    const tarball = join(output, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
    process.stdout.write(`${name} ${version}: ${(statSync(tarball).size / 1024).toFixed(0)} KiB packed\n`);
    return tarball;
  });
}

/** Installs all tarballs as a user does, writes the SBOM of the result, and queries the registry for known vulnerabilities. */
async function describeInstallation({ root, output, tarballs }) {
  const folder = join(output, 'installation');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "centavo-installation", "private": true }\n');
  await run(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
  const options = ['--omit=dev', '--output-reproducible', '--output-file', join(output, 'centavo.cdx.json')];
  await run(folder, join(root, 'node_modules', '.bin', 'cyclonedx-npm'), options);
  process.stdout.write(describeAudit(spawnSync('npm', ['audit', '--json'], { cwd: folder, encoding: 'utf8' }).stdout));
  rmSync(folder, { recursive: true });
}

/** Returns a sentence about the output of `npm audit --json`. */
function describeAudit(answer) {
  const { metadata, message } = answer.trim() === '' ? {} : JSON.parse(answer);
  if (metadata === undefined) return `npm audit did not run: ${message ?? 'the registry returned no answer'}.\n`;
  const { total, high, critical } = metadata.vulnerabilities;
  return `npm audit reports ${total} vulnerabilities: ${critical} critical, ${high} high.\n`;
}

function provenanceOf(root) {
  return planProvenance({ manifests: readManifests(root), environment: process.env });
}

/**
 * Commits the release, publishes the packages that are not on the registry, and tags them. The maintainer pushes the tags. The function
 * can run again after a failure: it commits only if files have changed, and existing tags stay.
 */
export async function publish({ root, pnpm, state }) {
  title('Publication');
  const manifests = readManifests(root);
  requireLogin(root);
  const pending = manifests.filter(({ name, version }) => {
    const view = ['view', `${name}@${version}`, 'version', '--json', '--prefer-online'];
    const isThere = isPublished(spawnSync('npm', view, { cwd: root, encoding: 'utf8' }));
    if (isThere) process.stdout.write(`${name} ${version} is on the registry already.\n`);
    return !isThere;
  });
  if (capture(root, 'git', ['status', '--porcelain']) !== '') {
    await run(root, 'git', ['add', '--all']);
    await run(root, 'git', ['commit', '--message', subjectOf(manifests[0].version)], { hasInput: true });
  }
  state.hasChanges = false;
  try {
    // Without a filter, pnpm would publish all packages. npm prompts for a one-time code on stdin.
    if (pending.length > 0) {
      const filters = pending.map(({ name }) => `--filter=${name}`);
      const provenance = provenanceOf(root).isPossible ? ['--provenance'] : [];
      await pnpm(['--recursive', ...filters, 'publish', ...provenance], { hasInput: true });
    }
    await pnpm(['exec', 'changeset', 'tag']);
  } catch (error) {
    throw new Error(`${error.message}\nThe release is committed. Run \`npm run release\` again to publish the rest.`);
  }
  process.stdout.write('Published. Push the commit and the tags with: git push --follow-tags\n');
}

function title(text) {
  process.stdout.write(`\n== ${text}\n`);
}

/**
 * Runs a program and prints its output.
 * @param options.hasInput whether the program may read from the terminal
 * @throws Error if the program fails, or if a signal stops the release
 */
async function run(cwd, program, args, { hasInput = false } = {}) {
  if (running.signal !== undefined) throw new Error(`Stopped by ${running.signal}.`);
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    stdio: [hasInput ? 'inherit' : 'ignore', 'inherit', 'inherit'],
    // A program has its own process group, so that a signal can end its children too. A program that reads the terminal must stay in
    // the group of this process.
    detached: !hasInput,
  });
  running.child = { pid: child.pid, hasGroup: !hasInput };
  const { status, error } = await new Promise((resolve) => {
    child.on('error', (failure) => resolve({ status: null, error: failure }));
    child.on('exit', (code) => resolve({ status: code }));
  });
  if (running.signal !== undefined) await endGroup();
  running.child = undefined;
  if (running.signal !== undefined) throw new Error(`Stopped by ${running.signal}.`);
  if (status === 0) return;
  throw new Error(`${program} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}.`);
}

/**
 * Waits for the processes that the program started, and kills them after {@link groupEndMsMax}, so that none of them changes a file
 * after the working tree is restored.
 */
async function endGroup() {
  for (let waitedMs = 0; waitedMs < groupEndMsMax && sendSignal(0); waitedMs += 100) await setTimeout(100);
  sendSignal('SIGKILL');
}

/** Ends the running program. The release then stops and, unless it has been committed, restores the working tree. */
function stop(signal) {
  running.signal = signal;
  sendSignal(signal);
}

/** Sends a signal to the running program. Returns whether a process received it. */
function sendSignal(signal) {
  const { pid, hasGroup } = running.child ?? {};
  if (pid === undefined) return false;
  try {
    return process.kill(hasGroup ? -pid : pid, signal);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
    throw error;
  }
}

function capture(cwd, program, args) {
  return spawnSync(program, args, { cwd, encoding: 'utf8' }).stdout;
}

function readManifests(root) {
  return folders.map((folder) => readJson(join(root, folder, 'package.json')));
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
