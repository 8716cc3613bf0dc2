import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../../test-support/fake-api.js';
import { connectionRefused, createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const noToken = { CENTAVO_TOKEN: '' };
const logIn = (profile: string) =>
  machine.run(`login --email ana@example.com --password-stdin --profile ${profile}`, {
    env: noToken,
    stdin: 'correct horse battery',
  });

async function showSettings(line = 'profiles show', env: Record<string, string> = {}) {
  const { stdout } = await machine.run(`${line} -o json`, { env });
  const settings = JSON.parse(stdout) as { setting: string; value: string | null; origin: string }[];
  return Object.fromEntries(settings.map(({ setting, value, origin }) => [setting, [value, origin]]));
}

describe('profiles show', () => {
  it('shows the source of every setting', async () => {
    await machine.run('profiles set tracker Household');
    await machine.run('profiles set base-url https://money.example.com');
    const line = 'profiles show --tracker Cabin --timeout 5';
    const env = { CENTAVO_BASE_URL: 'https://other.example.com' };
    expect(await showSettings(line, env)).toEqual({
      profile: ['default', 'default'],
      'base-url': ['https://other.example.com', 'CENTAVO_BASE_URL'],
      tracker: ['Cabin', '--tracker'],
      'secret-store': ['keychain', 'default'],
      output: ['json', '--output'],
      timeout: ['5', '--timeout'],
      token: ['(redacted)', 'CENTAVO_TOKEN'],
      session: [null, 'default'],
    });
    expect(await showSettings()).toMatchObject({
      'base-url': ['https://money.example.com/v1/financial', 'profile'],
      tracker: ['Household', 'profile'],
    });
    expect((await machine.run('profiles show --origin')).stdout).toMatch(/^SETTING +VALUE +ORIGIN/);
  });

  it('shows no secret', async () => {
    await logIn('work');
    const { stdout, stderr } = await machine.run('profiles show --profile work -o json');
    expect(stdout).toContain('ana@example.com');
    expect(stdout + stderr).not.toMatch(/access-|refresh-|test-token/);
  });
});

describe('profiles set', () => {
  it('removes a setting if the value is empty', async () => {
    await machine.run('profiles set tracker Household');
    await machine.run(['profiles', 'set', 'tracker', '']);
    expect(await showSettings()).toMatchObject({ tracker: [null, 'default'] });
  });

  it('rejects malformed and unknown settings, and secrets', async () => {
    for (const setting of ['base-url nonsense', 'secret-store paper', 'token abc', 'constructor x']) {
      expect([setting, (await machine.run(`profiles set ${setting}`)).code]).toEqual([setting, 2]);
    }
  });
});

describe('profiles use', () => {
  it('chooses the profile for later commands, unless a flag or the environment names another profile', async () => {
    await machine.run('profiles set tracker Cabin --profile work');
    expect(await machine.run('profiles use work')).toMatchObject({ code: 0, stdout: '' });
    expect(await showSettings()).toMatchObject({ profile: ['work', 'profiles use'], tracker: ['Cabin', 'profile'] });
    expect(await showSettings('profiles show --profile default')).toMatchObject({ tracker: [null, 'default'] });
    expect(await showSettings('profiles show', { CENTAVO_PROFILE: 'default' })).toMatchObject({
      profile: ['default', 'CENTAVO_PROFILE'],
    });
  });

  it('exits 5 for an unknown profile, and lists the existing profiles', async () => {
    await machine.run('profiles set tracker Cabin --profile work');
    const { code, stderr } = await machine.run('profiles use wrok');
    expect(code).toBe(5);
    expect(stderr).toContain('work');
  });
});

describe('profiles list', () => {
  it('shows the user and the server of each profile, and marks the current profile', async () => {
    await logIn('work');
    await machine.run('profiles set tracker Cabin');
    const { stdout } = await machine.run('profiles list -o json --profile work');
    expect(JSON.parse(stdout)).toEqual([
      { name: 'default', isCurrent: false, baseUrl: null, tracker: 'Cabin', email: null },
      {
        name: 'work',
        isCurrent: true,
        baseUrl: 'http://127.0.0.1:8080/v1/financial',
        tracker: null,
        email: 'ana@example.com',
      },
    ]);
  });
});

describe('profiles delete', () => {
  it('deletes the profile with its session, even if the server is unreachable', async () => {
    for (const isServerGone of [false, true]) {
      await logIn('work');
      await machine.run('profiles use work');
      if (isServerGone) machine.connectionFault = connectionRefused;
      expect(await machine.run('profiles delete work --yes', { env: noToken })).toMatchObject({ code: 0 });
      expect(await readdir(join(machine.configHome, 'centavo/profiles'))).not.toContain('work');
      expect(await showSettings()).toMatchObject({ profile: ['default', 'default'] });
    }
    expect(api.writes.filter((write) => write === 'DELETE /sessions/current')).toHaveLength(1);
  });

  it('asks for a confirmation, and requires --yes without a terminal', async () => {
    await logIn('work');
    expect(await machine.run('profiles delete work')).toMatchObject({ code: 2 });
    await machine.run('profiles delete work', { answers: [false] });
    expect(await readdir(join(machine.configHome, 'centavo/profiles'))).toContain('work');
  });
});
