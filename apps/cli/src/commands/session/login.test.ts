import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const noToken = { CENTAVO_TOKEN: '' };
const profilePath = () => join(machine.configHome, 'centavo/profiles/default/profile.json');
const logIn = () =>
  machine.run('login --email ana@example.com --password-stdin', { env: noToken, stdin: 'correct horse battery\n' });

describe('centavo login', () => {
  it('stores the session in a file that only its owner can read, and prints no password', async () => {
    const { code, stdout, stderr } = await logIn();
    expect(code).toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toContain('Logged in');
    expect(stderr).not.toContain('horse');
    expect((await stat(profilePath())).mode & 0o777).toBe(0o600);
    expect(await machine.run('trackers list', { env: noToken })).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)?.headers.get('authorization')).toMatch(/^Bearer access-/);
  });

  it('exits 3 for a wrong password, and stores nothing', async () => {
    const { code, stderr } = await machine.run('login --email ana@example.com --password-stdin', {
      env: noToken,
      stdin: 'wrong',
    });
    expect(code).toBe(3);
    expect(stderr).toContain('request id: c0ffee00');
    expect(stderr).toContain('Check the e-mail address and the password');
    expect(stderr).not.toContain('centavo login');
    await expect(stat(profilePath())).rejects.toThrow('ENOENT');
  });

  it('prompts for the missing values on a terminal, and names the missing flags without a terminal', async () => {
    const answers = ['ana@example.com', 'correct horse battery'];
    expect(await machine.run('login', { env: noToken, answers })).toMatchObject({ code: 0 });
    const { code, stderr } = await machine.run('login', { env: noToken });
    expect(code).toBe(2);
    expect(stderr).toContain('--email');
    expect(await machine.run('login --no-input', { env: noToken, answers })).toMatchObject({ code: 2 });
  });
});

describe('a session', () => {
  it('is refreshed when the access token has expired', async () => {
    await logIn();
    machine.clock.currentMs += 15 * 60_000;
    expect(await machine.run('trackers list', { env: noToken })).toMatchObject({ code: 0 });
    expect(api.writes).toContain('POST /sessions/refresh');
  });

  it('is removed from this machine and from the server on logout', async () => {
    await logIn();
    expect(await machine.run('logout', { env: noToken })).toMatchObject({ code: 0 });
    expect(api.writes.at(-1)).toBe('DELETE /sessions/current');
    expect(await readFile(profilePath(), 'utf8')).not.toContain('refresh');
    expect(await machine.run('balances', { env: noToken })).toMatchObject({ code: 3 });
  });
});
