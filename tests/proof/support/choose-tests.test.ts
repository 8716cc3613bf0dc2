import { expect, it } from 'vitest';
import { chooseFiles, findFailures } from '../../../tools/choose-tests.mjs';

const files = [
  { workspace: 'apps/server', path: 'src/http/app.http.test.ts' },
  { workspace: 'apps/cli', path: 'src/import/lock.test.ts' },
  { workspace: 'tests', path: 'acceptance/processes.test.ts' },
  { workspace: 'tests', path: 'proof/bank.test.ts' },
  { workspace: 'tests', path: 'proof/soak.test.ts' },
  { workspace: 'tests', path: 'package/tarballs.test.ts' },
  { workspace: 'tests', path: 'package/programs/installed.test.ts' },
  { workspace: 'tests', path: 'package/runtimes/bun.test.ts' },
];
const choose = (...words: string[]) => chooseFiles({ files, words, proofsOfCommit: ['bank'] });
const nothing = { workspaces: [], hasPackageTests: false, hasProgramTests: false, longTests: [] };

it('chooseFiles returns the workspaces with files that match a word, ignoring case', () => {
  expect(choose('lock', 'BANK')).toEqual({ ...nothing, workspaces: ['apps/cli', 'tests'], words: ['lock', 'BANK'] });
});

it('chooseFiles returns the command for a file that `npm run test:all` does not run', () => {
  expect(choose('soak')).toEqual({
    ...nothing,
    longTests: [{ path: 'tests/proof/soak.test.ts', command: 'node tools/run.mjs proof soak' }],
    words: ['soak'],
  });
  expect(choose('runtimes/bun').longTests).toEqual([
    { path: 'tests/package/runtimes/bun.test.ts', command: 'node tools/run.mjs runtimes' },
  ]);
});

it('chooseFiles accepts a path relative to the root, and passes the path relative to the workspace to vitest', () => {
  const path = 'apps/server/src/http/app.http.test.ts';
  expect(choose(path)).toEqual({ ...nothing, workspaces: ['apps/server'], words: ['src/http/app.http.test.ts'] });
  expect(choose('tests/package/tarballs.test.ts')).toEqual({
    ...nothing,
    hasPackageTests: true,
    words: ['tarballs.test.ts'],
  });
});

it('chooseFiles returns hasProgramTests and no workspace for the tests in tests/package/programs', () => {
  expect(choose('installed')).toEqual({ ...nothing, hasProgramTests: true, words: ['installed'] });
});

it('findFailures returns one error and one command if several tests of a file fail with the same error', () => {
  const output = [
    '@centavo/cli:test:  FAIL  src/a.test.ts > one',
    '@centavo/cli:test:  FAIL  src/a.test.ts > two',
    '@centavo/cli:test: AssertionError: expected 1 to be 2',
  ].join('\n');
  expect(findFailures(output)).toEqual([output, 'Run this file alone: npm test -- src/a.test.ts']);
});

it('findFailures returns an unhandled rejection with the command for the file that caused it', () => {
  const output = [
    '@centavo/sdk:test: ⎯⎯⎯ Unhandled Rejection ⎯⎯⎯',
    '@centavo/sdk:test: Error: lost',
    '@centavo/sdk:test: This error originated in "src/b.test.ts" test file.',
  ].join('\n');
  expect(findFailures(output)).toEqual([output, 'Run this file alone: npm test -- src/b.test.ts']);
});

it('findFailures returns the command of the runtime tests for a test that failed in a runtime other than Node.js', () => {
  const line = '@centavo/sdk:test:runtimes:  FAIL  |runtimes| runtimes/bun.test.ts > works';
  expect(findFailures(line)).toEqual([line, 'Run this file alone: node tools/run.mjs runtimes']);
});

it('findFailures returns a command for each task in the line "Failed:", but none for a test task, whose FAIL lines have their own', () => {
  const output = ' Failed:    //#lint, @centavo/sdk#typecheck, @centavo/cli#test';
  expect(findFailures(output)).toEqual([
    'Run this check alone: npm run lint (npm run format fixes most findings)',
    'Run this check alone: npm run check -- --filter=@centavo/sdk',
  ]);
});
