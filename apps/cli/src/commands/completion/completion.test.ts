import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../../test-support/fake-api.js';
import { connectionRefused, createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { readBashWords } from './complete.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

/** Returns the suggestions for a line whose last word is under the cursor. */
async function complete(words: readonly string[], options: { shell?: string; env?: Record<string, string> } = {}) {
  const { shell = 'zsh', env = {} } = options;
  const { code, stdout, stderr } = await machine.run(['complete', shell, '--', ...words], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t')[0]);
}

describe('completion of commands', () => {
  it('suggests command groups, and after a group its commands, but no hidden commands', async () => {
    expect(await complete(['mov'])).toEqual(['movements']);
    expect(await complete([''])).not.toContain('complete');
    expect(await complete(['movements', ''])).toEqual(expect.arrayContaining(['list', 'show', 'add', 'correct']));
    expect(await complete(['movements', 'l'])).toEqual(['list']);
  });

  it('suggests the commands of a group even if global flags precede the group', async () => {
    expect(await complete(['--tracker', 'Home', '--quiet', 'movements', 'l'])).toEqual(['list']);
  });
});

describe('completion of flags', () => {
  it('suggests the flags of the command and the global flags', async () => {
    expect(await complete(['movements', 'list', '--c'])).toEqual(expect.arrayContaining(['--category', '--cursor']));
    expect(await complete(['movements', 'list', '--tr'])).toEqual(['--tracker']);
    expect(await complete(['import', 'bank.csv', '--id'])).toEqual(['--id-column']);
    expect(await complete(['movements', 'list', '--', '--c'])).toEqual([]);
  });

  it('suggests the values of a flag', async () => {
    expect(await complete(['balances', '-o', 'js'])).toEqual(['json', 'jsonl']);
    expect(await complete(['balances', '--output=c'])).toEqual(['--output=csv']);
    expect(await complete(['keys', 'create', 'x', '--scope', 'movements:'])).toEqual([
      'movements:read',
      'movements:write',
    ]);
  });
});

describe('completion of names', () => {
  beforeEach(() => {
    api.addAccount({ name: 'Checking' });
    api.addAccount({ name: 'Platinum Card' });
  });

  it('reads the names of accounts, categories, trackers and budgets from the server', async () => {
    api.addCategory({ id: 'cat_food', name: 'Food' });
    api.records.addBudget({ name: 'January' });
    expect(await complete(['movements', 'list', '--account', ''])).toEqual(['Checking', 'Platinum Card']);
    expect(await complete(['transfers', 'add', '--from-account', 'plat'])).toEqual(['Platinum Card']);
    expect(await complete(['movements', 'list', '--account=Ch'])).toEqual(['--account=Checking']);
    expect(await complete(['movements', 'list', '--category', 'F'])).toEqual(['Food']);
    expect(await complete(['trackers', 'use', ''])).toEqual(['Household']);
    expect(await complete(['balances', '--tracker', 'H'])).toEqual(['Household']);
    expect(await complete(['budgets', 'show', ''])).toEqual(['January']);
    expect(api.writes).toEqual([]);
  });

  it('suggests the ids of records that have the same name, and describes each id by the name', async () => {
    const { id } = api.addAccount({ name: 'Checking' });
    const { stdout } = await machine.run(['complete', 'zsh', '--', 'movements', 'list', '--account', '']);
    expect(stdout).toContain(`${id}\tChecking\n`);
    expect(stdout).not.toMatch(/^Checking\t/m);
  });

  it('reads the accounts of the tracker in --tracker to complete --account, and suggests the existing profiles for "profiles use"', async () => {
    const cabin = '0199c5a0-0000-7000-8000-000000000002';
    await complete(['--tracker', cabin, 'movements', 'list', '--account', '']);
    expect(api.requests.at(-1)?.headers.get('x-service-tracker-id')).toBe(cabin);
    await machine.run('profiles set tracker Cabin --profile work');
    expect(await complete(['profiles', 'use', ''])).toEqual(['work']);
  });

  it('prints nothing without a session, with an invalid setting, or without a server', async () => {
    const line = ['movements', 'list', '--account', ''];
    expect(await complete(line, { env: { CENTAVO_TOKEN: '' } })).toEqual([]);
    expect(await complete(line, { env: { CENTAVO_BASE_URL: 'nonsense' } })).toEqual([]);
    machine.connectionFault = connectionRefused;
    expect(await complete(line)).toEqual([]);
  });

  it('prints a name with a line break on one line, and escapes control characters', async () => {
    api.accounts.length = 0;
    api.addAccount({ name: 'Two\nlines \u001b[31m' });
    expect(await complete(['movements', 'list', '--account', ''])).toEqual(['Two lines \\u001b[31m']);
  });

  it('requests file names from the shell for an argument or a flag that accepts a file', async () => {
    expect(await complete(['import', ''])).toEqual([':files']);
    expect(await complete(['api', 'POST', '/x', '--input', ''])).toEqual([':files']);
  });
});

describe('completion in bash', () => {
  it.each([
    [
      ['--account', 'Platinum\\ Ca'],
      ['--account', 'Platinum Ca'],
    ],
    [
      ['--account', '"Platinum Ca'],
      ['--account', 'Platinum Ca'],
    ],
    [
      ['--account', "'Joe"],
      ['--account', 'Joe'],
    ],
    [['--account', '=', 'Ch'], ['--account=Ch']],
    [['--account', '='], ['--account=']],
    [
      ['--scope', 'movements', ':', 're'],
      ['--scope', 'movements:re'],
    ],
    [
      ['--account', ''],
      ['--account', ''],
    ],
  ])('joins and unquotes the words that bash passes: %j becomes %j', (typed, words) => {
    expect(readBashWords(typed)).toEqual(words);
  });

  it('suggests only the text after the last colon or equals sign, because bash splits words there', async () => {
    expect(await complete(['keys', 'create', 'x', '--scope', 'movements', ':', 'r'], { shell: 'bash' })).toEqual([
      'read',
    ]);
    expect(await complete(['balances', '--output', '=', 'c'], { shell: 'bash' })).toEqual(['csv']);
  });
});

describe('a completion script', () => {
  it('is printed for each shell even if a setting is invalid; the help shows how to install it in bash', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, stdout } = await machine.run(`completion ${shell}`, { env: { CENTAVO_BASE_URL: 'nonsense' } });
      expect(code).toBe(0);
      expect(stdout).toContain(`centavo complete ${shell} -- `);
    }
    expect(await machine.run('completion cmd')).toMatchObject({ code: 2 });
    expect((await machine.run('completion --help')).stdout).toContain('>> ~/.bashrc');
  });
});
