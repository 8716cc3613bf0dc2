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
const readProfile = () => readFile(profilePath(), 'utf8');
const logIn = (env: Record<string, string> = {}) =>
  machine.run('login --email ana@example.com --password-stdin', {
    env: { ...noToken, ...env },
    stdin: 'correct horse battery\n',
  });

describe('the CLI on a machine with a keychain', () => {
  beforeEach(() => {
    machine.keychain = new Map();
  });

  it('stores the tokens only in the keychain, and prints no warning', async () => {
    const { code, stderr } = await logIn();
    expect(code).toBe(0);
    expect(stderr).not.toContain('keychain');
    expect(await readProfile()).not.toMatch(/access-|refresh-/);
    expect([...(machine.keychain?.values() ?? [])].join()).toMatch(/access-.*refresh-/);
    expect(await machine.run('trackers list', { env: noToken })).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)?.headers.get('authorization')).toMatch(/^Bearer access-/);
  });

  it('stores the renewed tokens only in the keychain', async () => {
    await logIn();
    const before = [...(machine.keychain?.values() ?? [])];
    machine.clock.currentMs += 15 * 60_000;
    expect(await machine.run('trackers list', { env: noToken })).toMatchObject({ code: 0 });
    expect([...(machine.keychain?.values() ?? [])]).not.toEqual(before);
    expect(await readProfile()).not.toMatch(/refresh-/);
  });

  it('stores the session in the profile file without a warning if the setting secret-store is "file"', async () => {
    const { stderr } = await logIn({ CENTAVO_SECRET_STORE: 'file' });
    expect(stderr).not.toContain('keychain');
    expect(await readProfile()).toContain('refresh-');
    expect(machine.keychain?.size).toBe(0);
    await machine.run('profiles set secret-store file --profile work');
    await machine.run('login --email ana@example.com --password-stdin --profile work', {
      env: noToken,
      stdin: 'correct horse battery',
    });
    expect(machine.keychain?.size).toBe(0);
  });

  it('removes the session on logout', async () => {
    await logIn();
    expect(await machine.run('logout', { env: noToken })).toMatchObject({ code: 0 });
    expect(machine.keychain?.size).toBe(0);
    expect(api.writes.at(-1)).toBe('DELETE /sessions/current');
  });

  it('reports an error of the keychain, not a missing login, if the keychain is unreadable', async () => {
    await logIn();
    machine.keychain = undefined;
    const { code, stderr } = await machine.run('balances', { env: noToken });
    expect(code).toBe(1);
    expect(stderr).toContain('keychain');
    expect(stderr).toContain('CENTAVO_SECRET_STORE=file');
  });

  it('stores the session in the profile file if the keychain fails while the CLI renews the tokens', async () => {
    await logIn();
    machine.clock.currentMs += 15 * 60_000;
    api.fault = ({ url }) => {
      if (url.pathname.endsWith('/sessions/refresh')) machine.keychain = undefined;
      return undefined;
    };
    expect(await machine.run('trackers list', { env: noToken })).toMatchObject({ code: 0 });
    expect(await readProfile()).toContain('refresh-');
  });
});

describe('the CLI on a machine without a keychain', () => {
  it('stores the session in a file that only its owner can read, and warns at the login, but not in the next command, that no keychain is available', async () => {
    const { stderr } = await logIn();
    expect(stderr.match(/keychain/g)).toHaveLength(1);
    expect((await stat(profilePath())).mode & 0o777).toBe(0o600);
    expect((await machine.run('trackers list', { env: noToken })).stderr).not.toContain('keychain');
  });

  it('warns once for each profile, at the first login without --quiet, that no keychain is available', async () => {
    const line = 'login --email ana@example.com --password-stdin';
    const options = { env: noToken, stdin: 'correct horse battery' };
    expect(await machine.run(`${line} --quiet`, options)).toMatchObject({ code: 0, stderr: '' });
    expect((await logIn()).stderr).toContain('keychain');
    expect((await logIn()).stderr).not.toContain('keychain');
    await machine.run('logout', { env: noToken });
    expect((await logIn()).stderr).not.toContain('keychain');
    expect((await machine.run(`${line} --profile work`, options)).stderr).toContain('keychain');
  });
});

describe('--token-stdin', () => {
  it('provides the token, and takes precedence over the environment', async () => {
    expect(await machine.run('balances --token-stdin', { stdin: 'piped-token\n' })).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)?.headers.get('authorization')).toBe('Bearer piped-token');
  });

  it('is rejected if another flag or argument also reads standard input', async () => {
    for (const line of ['api POST /accounts --input -', 'import - --account Checking', 'login --password-stdin']) {
      const { code, stderr } = await machine.run(`${line} --token-stdin`, { stdin: 'piped-token' });
      expect([line, code]).toEqual([line, 2]);
      expect(stderr).toContain('--token-stdin');
    }
    expect(api.writes).toEqual([]);
  });

  it('is rejected if standard input contains no token', async () => {
    expect(await machine.run('balances --token-stdin', { stdin: '\n' })).toMatchObject({ code: 2 });
  });
});
