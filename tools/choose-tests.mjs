// Finds the test files that the words of `npm test -- <words>` name, and the failed test files in the output of a run.
// It has no dependencies.
import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const isTestFile = (path) => path.endsWith('.test.ts') && !path.includes('node_modules');

/**
 * Returns the workspaces that have a test file whose path contains one of the words, and whether some of these files are
 * in `tests/package`. Words that start with a hyphen are options of vitest. Without words, all workspaces are returned.
 */
export function chooseTests({ root, workspaces, words }) {
  const parts = words.filter((word) => !word.startsWith('-')).map((word) => word.toLowerCase());
  const isChosen = (path) => parts.length === 0 || parts.some((part) => path.toLowerCase().includes(part));
  const chosen = [];
  let hasPackageTests = false;
  for (const folder of workspaces) {
    const folders = folder === 'tests' ? ['acceptance', 'bench', 'package', 'proof'] : ['src'];
    const files = folders
      .flatMap((name) => readdirSync(join(root, folder, name), { recursive: true }).map((file) => join(name, file)))
      .map((path) => path.split(sep).join('/'))
      .filter((path) => isTestFile(path) && isChosen(path));
    if (files.some((path) => !path.startsWith('package/'))) chosen.push(folder);
    hasPackageTests ||= files.some((path) => /^package\/[^/]+$/.test(path));
  }
  return { workspaces: chosen, hasPackageTests };
}

/** Returns the first lines of at most ten failed tests, without colours, and one command for each failed file. */
export function findFailures(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const isFailure = (line) => /\sFAIL\s.*\.test\.ts/.test(line);
  const excerpts = lines.flatMap((line, at) => (isFailure(line) ? [lines.slice(at, at + 12).join('\n')] : []));
  const files = lines.filter(isFailure).map((line) => /(\S+\.test\.ts)/.exec(line)[1]);
  const commands = [...new Set(files)].map((file) => `Run this file alone: npm test -- ${file}`);
  return [...excerpts.slice(0, 10), ...commands];
}
