import { afterAll, expect, inject, test } from 'vitest';
import { startProgram } from '../../acceptance/support/start-program.js';
import { type Conformance, tryRuntime } from '../support/try-runtime.js';

const { consumer } = inject('packages');

/** The packages that npx downloads. A version means the newest release of that major version. */
const runtimes = [
  { name: 'node@20', words: ['node'] },
  { name: 'node@22', words: ['node'] },
  { name: 'node@24', words: ['node'] },
  { name: 'node@26', words: ['node'] },
  { name: 'bun', words: ['bun'] },
  { name: 'deno', words: ['deno', 'run', '--quiet', '--allow-all', '--node-modules-dir=manual'] },
];

const found: Conformance[] = [];
const notFetched: string[] = [];

test.each(runtimes)(
  'the installed client passes every check of its documented behaviour in $name',
  async ({ name, words: [program = '', ...words] }) => {
    const npx = ['--yes', `--package=${name}`, '--', program];
    const version = await startProgram({
      program: 'npx',
      words: [...npx, '--version'],
      cwd: consumer,
      env: { HOME: process.env.HOME ?? '' },
    }).ended;
    if (version.exitCode !== 0) notFetched.push(`${name} could not be fetched:\n${version.stderr}`);
    expect(notFetched.filter((text) => text.startsWith(name))).toEqual([]);
    const conformance = await tryRuntime(consumer, { program: 'npx', words: [...npx, ...words] });
    found.push(conformance);
    expect(Object.entries(conformance.outcomes).filter(([, outcome]) => outcome !== 'ok')).toEqual([]);
  },
);

afterAll(() => {
  const checks = Object.keys(found[0]?.outcomes ?? {});
  const rows = found.map(({ runtime, outcomes }) => [runtime, ...checks.map((check) => shown(outcomes[check]))]);
  const lines = [['runtime', ...checks], ['---', ...checks.map(() => '---')], ...rows];
  process.stdout.write(`\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}${notFetched.join('\n')}\n`);
});

function shown(outcome = 'did not end'): string {
  return outcome === 'ok' ? 'yes' : 'no';
}
