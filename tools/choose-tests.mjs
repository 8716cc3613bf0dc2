// Chooses the test files for `npm test -- <words>`, and finds the failed tests in the output of a run.
// It has no dependencies.
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The folders of test files in the workspace `tests`; every other workspace has its tests in `src`. */
const testFolders = ['acceptance', 'bench', 'package', 'proof'];
const isTestFile = (path) => path.endsWith('.test.ts') && !path.includes('node_modules');

/**
 * Returns the tasks that run the test files whose path contains one of the words. Words may be paths relative to the root or to a
 * workspace. Words that start with a hyphen are options of vitest. Without words, all files are chosen.
 *
 * In the result, `words` are the words to pass to vitest, with paths relative to the folder in which vitest runs, because vitest
 * matches only such paths. `longTests` are the chosen files that `npm run test:all` does not run, each with the command that runs it.
 */
export function chooseTests({ root, workspaces, words }) {
  const proofsOfCommit = JSON.parse(readFileSync(join(root, 'tests/proof/of-commit.json'), 'utf8'));
  const files = workspaces.flatMap((workspace) => listTestFiles({ root, workspace }));
  return chooseFiles({ files, words, proofsOfCommit });
}

/** The part of {@link chooseTests} that reads no file. */
export function chooseFiles({ files, words, proofsOfCommit }) {
  const parts = words.filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase());
  const isNamed = ({ workspace, path }) => {
    const wholePath = `${workspace}/${path}`.toLowerCase();
    return parts.length === 0 || parts.some((part) => wholePath.includes(part));
  };
  const chosen = { workspaces: [], hasPackageTests: false, hasProgramTests: false, longTests: [] };
  for (const file of files.filter(isNamed)) {
    const { workspace, path } = file;
    const command = findLongCommand({ path, proofsOfCommit });
    if (command !== undefined) chosen.longTests.push({ path: `${workspace}/${path}`, command });
    else if (path.startsWith('package/programs/')) chosen.hasProgramTests = true;
    else if (path.startsWith('package/')) chosen.hasPackageTests = true;
    else if (!chosen.workspaces.includes(workspace)) chosen.workspaces.push(workspace);
  }
  const folders = [...new Set(files.map(({ workspace }) => workspace))];
  return { ...chosen, words: words.map((word) => withoutFolder({ word, folders })) };
}

/** Returns the command for a file that `npm run test:all` does not run; undefined for all other files. */
function findLongCommand({ path, proofsOfCommit }) {
  const [, proof] = /^proof\/([^/]+)\.test\.ts$/.exec(path) ?? [];
  if (proof !== undefined && !proofsOfCommit.includes(proof)) return `node tools/run.mjs proof ${proof}`;
  return path.startsWith('package/runtimes/') ? 'node tools/run.mjs runtimes' : undefined;
}

/** Removes the folder of the workspace and then `package/` from the start of a path, because vitest runs in these folders. */
function withoutFolder({ word, folders }) {
  const folder = folders.find((name) => word.startsWith(`${name}/`));
  const path = folder === undefined ? word : word.slice(folder.length + 1);
  return path.replace(/^package\//, '');
}

function listTestFiles({ root, workspace }) {
  return (workspace === 'tests' ? testFolders : ['src'])
    .flatMap((name) => readdirSync(join(root, workspace, name), { recursive: true }).map((file) => join(name, file)))
    .filter(isTestFile)
    .map((path) => ({ workspace: workspace.split(sep).join('/'), path: path.split(sep).join('/') }));
}

/**
 * Returns the first lines of at most ten failures, without colours, and one command for each failed file and each failed check. If several
 * tests fail with the same error, vitest prints it once, below their names. Names on adjacent lines therefore count as one failure.
 */
export function findFailures(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const isFailedTest = (line) => /\sFAIL\s.*\.test\.ts/.test(line ?? '');
  const isUnhandled = (line) => /⎯ Unhandled (Rejection|Exception|Error) ⎯/.test(line);
  const isFirst = (line, at) => isUnhandled(line) || (isFailedTest(line) && !isFailedTest(lines[at - 1]));
  const excerpts = lines.flatMap((line, at) => (isFirst(line, at) ? [lines.slice(at, at + 12).join('\n')] : []));
  const isSource = (line) => isFailedTest(line) || /This error originated in ".*\.test\.ts"/.test(line);
  const commands = lines.filter(isSource).map((line) => `Run this file alone: ${commandOf(line)}`);
  const failedTasks = lines.flatMap((line) => /^\s*Failed:\s+(\S.*)$/.exec(line)?.[1].split(', ') ?? []);
  const checks = failedTasks.filter((task) => !task.includes('#test')).map(describeCheck);
  return [...excerpts.slice(0, 10), ...new Set([...commands, ...checks])];
}

/** @param task such as `//#lint` or `@centavo/sdk#typecheck` */
function describeCheck(task) {
  const [workspace, name] = task.split('#');
  if (workspace !== '//') return `Run this check alone: npm run check -- --filter=${workspace}`;
  return `Run this check alone: npm run ${name}${name === 'lint' ? ' (npm run format fixes most findings)' : ''}`;
}

function commandOf(line) {
  if (line.includes(':test:runtimes:')) return 'node tools/run.mjs runtimes';
  return `npm test -- ${/([^\s"]+\.test\.ts)/.exec(line)[1]}`;
}
