import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { scriptOfShell } from './shell-scripts.js';

/**
 * The directory of a test. The shell function `centavo` stores its arguments in this directory, and prints the output that the test sets.
 */
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'centavo-shells-'));
});

const has = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const noteIfMissing = (shell: string) => (has(shell) ? '' : ` (skipped: there is no ${shell})`);

/** A name that another member of a tracker could give to a category. */
const hostile = '$(touch pwned)`touch pwned`';

async function run(shell: string, { flags, lines, output }: { flags: string[]; lines: string[]; output: string }) {
  await writeFile(join(folder, 'output'), output);
  await writeFile(join(folder, 'script'), scriptOfShell[shell as 'bash']);
  await writeFile(join(folder, 'Some File.csv'), '');
  const { stdout, stderr } = spawnSync(shell, [...flags, '-c', lines.join('\n')], { cwd: folder, encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').slice(0, -1);
}

const argumentsSeen = async () => (await readFile(join(folder, 'arguments'), 'utf8')).split('\n').slice(0, -1);

describe.skipIf(!has('bash'))(`the TAB key in bash${noteIfMissing('bash')}`, () => {
  const complete = (words: string, output: string) =>
    run('bash', {
      flags: ['--norc'],
      lines: [
        `centavo() { printf '%s\\n' "$@" > arguments; cat output; }`,
        'source ./script; source ./script',
        `COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _centavo`,
        `printf '%s\\n' "\${COMPREPLY[@]}"`,
        '[[ ! -e pwned ]] || echo PWNED',
      ],
      output,
    });

  it('passes the words up to the cursor to centavo, even an empty word', async () => {
    expect(await complete(`centavo movements list --account ''`, 'Checking\tan id\n')).toEqual(['Checking']);
    expect(await argumentsSeen()).toEqual(['complete', 'bash', '--', 'movements', 'list', '--account', '']);
  });

  it('quotes a name for the shell, and never executes it', async () => {
    expect(await complete(`centavo ''`, `Platinum Card\t\n${hostile}\t\n`)).toEqual([
      'Platinum\\ Card',
      '\\$\\(touch\\ pwned\\)\\`touch\\ pwned\\`',
    ]);
    expect(await complete(`centavo '"Pl'`, `Platinum Card\t\n${hostile}\t\n`)).toEqual(['Platinum Card']);
  });

  it('suggests files when centavo requests files', async () => {
    expect(await complete('centavo import Some', ':files\n')).toEqual(['Some File.csv']);
  });

  it('suggests nothing when centavo prints nothing', async () => {
    expect(await complete('centavo nonsense', '')).toEqual(['']);
  });
});

describe.skipIf(!has('zsh'))(`the TAB key in zsh${noteIfMissing('zsh')}`, () => {
  const complete = (words: string, output: string) =>
    run('zsh', {
      flags: ['-f'],
      lines: [
        `centavo() { printf '%s\\n' "$@" > arguments; cat output; }`,
        'compdef() { : }',
        // zsh quotes the text that it inserts, unless compadd has the flag -Q.
        'compadd() { print -r -- "$@"; print -rl -- $values $shown }',
        '_files() { print files }',
        'source ./script; source ./script',
        `words=(${words}); CURRENT=$#words; _centavo`,
        '[[ ! -e pwned ]] || echo PWNED',
      ],
      output,
    });

  it('passes the words without their quotes to centavo, even an empty word', async () => {
    expect(await complete(`centavo --tracker 'My\\ home' ''`, 'Checking\tan id\n')).toEqual([
      '-l -d shown -a values',
      'Checking',
      'Checking  -- an id',
    ]);
    expect(await argumentsSeen()).toEqual(['complete', 'zsh', '--', '--tracker', 'My home', '']);
  });

  it('never executes shell code in a suggested name', async () => {
    const [, value] = await complete(`centavo ''`, `${hostile}\t\n`);
    expect(value).toBe(hostile);
  });

  it('suggests files when centavo requests files, and nothing when it prints nothing', async () => {
    expect(await complete('centavo import Some', ':files\n')).toEqual(['files']);
    expect(await complete('centavo nonsense', '')).toEqual([]);
  });
});

describe.skipIf(!has('fish'))(`the TAB key in fish${noteIfMissing('fish')}`, () => {
  const complete = (line: string, output: string) =>
    run('fish', {
      flags: ['--no-config'],
      lines: [
        `function centavo; printf '%s\\n' $argv > arguments; cat output; end`,
        'source ./script',
        `complete -C '${line}'`,
        'if test -e pwned; echo PWNED; end',
      ],
      output,
    });

  it('passes the words up to the cursor to centavo, even an empty word', async () => {
    expect(await complete('centavo movements list --account ', 'Checking\tan id\n')).toEqual(['Checking\tan id']);
    expect(await argumentsSeen()).toEqual(['complete', 'fish', '--', 'movements', 'list', '--account', '']);
  });

  it('never executes shell code in a suggested name', async () => {
    expect((await complete('centavo ', `${hostile}\t\nPlatinum Card\t\n`)).join('\n')).not.toContain('PWNED');
  });

  it('suggests files when centavo requests files', async () => {
    expect((await complete('centavo import Some', ':files\n')).join('\n')).toContain('Some');
  });
});
