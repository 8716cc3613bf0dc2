import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const noToken = { CENTAVO_TOKEN: '' };
const directory = () => join(machine.configHome, 'centavo/profiles/default');
const file = () => join(directory(), 'profile.json');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const logIn = () =>
  machine.run('login --email ana@example.com --password-stdin', { env: noToken, stdin: 'correct horse battery' });

describe.skipIf(process.platform === 'win32')('a profile to which other users of the machine have access', () => {
  it('is restricted to its owner by the next command, which prints a warning even with --quiet', async () => {
    await logIn();
    await chmod(file(), 0o644);
    const { code, stderr } = await machine.run('trackers list --quiet', { env: noToken });
    expect(code).toBe(0);
    expect(stderr).toContain(`${file()} (0644)`);
    expect(stderr).toContain('centavo logout');
    expect(await modeOf(file())).toBe(0o600);
    expect((await machine.run('trackers list', { env: noToken })).stderr).toBe('');
  });

  it('is reported if others can access its directory, but not its file; the command restricts the directory to its owner', async () => {
    await logIn();
    await chmod(directory(), 0o750);
    const { stderr } = await machine.run('trackers list', { env: noToken });
    expect(stderr).toContain(`${directory()} (0750)`);
    expect(await modeOf(directory())).toBe(0o700);
  });

  it('is left unchanged by TAB completion, and is reported by doctor', async () => {
    await logIn();
    await chmod(file(), 0o644);
    await machine.run(['complete', 'zsh', '--', 'trackers', 'use', ''], { env: noToken });
    expect((await machine.run('doctor', { env: noToken })).stdout).toContain(`other users have access to ${file()}`);
    expect(await modeOf(file())).toBe(0o644);
  });

  it('is neither reported nor changed if the keychain stores the session', async () => {
    machine.keychain = new Map();
    await logIn();
    await chmod(file(), 0o644);
    expect((await machine.run('trackers list', { env: noToken })).stderr).toBe('');
    expect(await modeOf(file())).toBe(0o644);
  });
});
