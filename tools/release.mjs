// Prepares a release (versions, changelogs, licences, checks, tarballs, SBOMs), and then publishes it. See docs/releasing.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderBundledPackages, renderPrebuiltBundle } from './render-third-party.mjs';

/** The folders of the published packages, each after its dependencies. */
const folders = ['packages/contracts', 'packages/sdk', 'packages/statement-reader', 'apps/server', 'apps/cli'];
/** The version constants that the programs print or send. */
const versionFiles = ['packages/sdk/src/version.ts', 'apps/server/src/version.ts', 'apps/cli/src/version.ts'];

/**
 * Releases all packages that have changesets. With `--dry-run` nothing is committed or published, and the working tree is restored;
 * the tarballs and SBOMs stay in `release/`.
 * @returns whether every step succeeded
 */
export async function release({ root, parameters }) {
  const isDryRun = parameters.includes('--dry-run');
  const { packageManager } = readJson(join(root, 'package.json'));
  const pnpm = (words) => run(root, 'npx', ['--prefer-offline', '-y', packageManager, ...words]);
  if (capture(root, 'git', ['status', '--porcelain']) !== '') {
    process.stderr.write('The working tree has changes. Commit or stash them, then release again.\n');
    return false;
  }
  const output = join(root, 'release');
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output);
  try {
    title('Versions and changelogs');
    pnpm(['exec', 'changeset', 'version']);
    writeVersions(root);
    run(root, 'git', ['--no-pager', 'diff', '--stat', '--', '.']);
    run(root, 'git', ['--no-pager', 'diff', '--unified=0', '--', '*/CHANGELOG.md']);

    title('Build and licences of bundled packages');
    run(root, 'node', ['tools/run.mjs', 'build', '--output-logs=errors-only']);
    writeThirdParty({ root, output, pnpm });
    run(root, 'npx', ['biome', 'format', '--write', '.changeset', 'packages', 'apps', '--log-level=error']);

    title('Checks: publint, attw, size, API reports, installed programs');
    pnpm(['exec', 'turbo', 'run', 'test:package', 'test:programs', '--ui=stream', '--output-logs=new-only']);

    title('Tarballs');
    const tarballs = packAll({ root, output, pnpm });
    for (const tarball of tarballs) run(root, 'npx', ['publint', 'run', tarball, '--strict']);

    title('SBOM and audit of an installation');
    describeInstallation({ root, output, tarballs });
    title('Provenance');
    process.stdout.write(describeProvenance());
    if (isDryRun) return true;
    publish({ root, pnpm });
    return true;
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    return false;
  } finally {
    if (isDryRun) {
      run(root, 'git', ['restore', '--staged', '--worktree', '.']);
      // The first release of a package creates its changelog.
      run(root, 'git', ['clean', '--quiet', '--force', '--', 'packages/*/CHANGELOG.md', 'apps/*/CHANGELOG.md']);
    }
  }
}

/** Writes the version of each package.json into its version constant. */
function writeVersions(root) {
  for (const file of versionFiles) {
    const { version } = readJson(join(root, dirname(dirname(file)), 'package.json'));
    const path = join(root, file);
    writeFileSync(path, readFileSync(path, 'utf8').replace(/= '[^']*'/, `= '${version}'`));
  }
}

/** Writes THIRD-PARTY.md of both programs, and the SBOM of the bundle of the command line. */
function writeThirdParty({ root, output, pnpm }) {
  const cli = join(root, 'apps', 'cli');
  const sbom = join(output, 'cli-bundle.cdx.json');
  pnpm(['--filter=@centavo/cli', 'exec', 'tsup', '--metafile', '--silent']);
  const metafile = join('dist', 'metafile-esm.json');
  const options = ['--gather-license-texts', '--output-reproducible', '--no-validate', '--output-file', sbom];
  run(cli, join(root, 'node_modules', '.bin', 'cyclonedx-esbuild'), [...options, metafile]);
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

/** Packs all packages with pnpm, because npm ignores `workspace:*` and `publishConfig`. Prints their sizes. */
function packAll({ root, output, pnpm }) {
  const packages = folders.map((folder) => readJson(join(root, folder, 'package.json')));
  pnpm([...packages.map(({ name }) => `--filter=${name}`), 'pack', '--pack-destination', output]);
  return packages.map(({ name, version }) => {
    const tarball = join(output, `${name.slice(1).replace('/', '-')}-${version}.tgz`);
    process.stdout.write(`${name} ${version}: ${(statSync(tarball).size / 1024).toFixed(0)} KiB packed\n`);
    return tarball;
  });
}

/** Installs all tarballs as a user does, writes the SBOM of the result, and queries the registry for known vulnerabilities. */
function describeInstallation({ root, output, tarballs }) {
  const folder = join(output, 'installation');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "name": "centavo-installation", "private": true }\n');
  run(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs]);
  const options = ['--omit=dev', '--output-reproducible', '--output-file', join(output, 'centavo.cdx.json')];
  run(folder, join(root, 'node_modules', '.bin', 'cyclonedx-npm'), options);
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

function hasProvenance() {
  return 'ACTIONS_ID_TOKEN_REQUEST_URL' in process.env || 'SIGSTORE_ID_TOKEN' in process.env;
}

function describeProvenance() {
  return hasProvenance()
    ? 'The packages are published with provenance.\n'
    : 'No identity token is present, so the packages have no provenance. npm accepts only tokens of GitHub Actions and GitLab CI.\n';
}

/** Commits the release, publishes it and tags it. The maintainer pushes the tag. */
function publish({ root, pnpm }) {
  const { version } = readJson(join(root, folders[0], 'package.json'));
  run(root, 'git', ['add', '--all']);
  run(root, 'git', ['commit', '--message', `Release ${version}`]);
  const filters = folders.map((folder) => `--filter=./${folder}`);
  pnpm(['--recursive', ...filters, 'publish', ...(hasProvenance() ? ['--provenance'] : [])]);
  pnpm(['exec', 'changeset', 'tag']);
  process.stdout.write('Published. Push it with: git push --follow-tags\n');
}

function title(text) {
  process.stdout.write(`\n== ${text}\n`);
}

/** Runs a program and prints its output. @throws Error if it fails */
function run(cwd, program, words) {
  const environment = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
  const { status, error } = spawnSync(program, words, {
    cwd,
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) return;
  throw new Error(`${program} ${words.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}.`);
}

function capture(cwd, program, words) {
  return spawnSync(program, words, { cwd, encoding: 'utf8' }).stdout;
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
