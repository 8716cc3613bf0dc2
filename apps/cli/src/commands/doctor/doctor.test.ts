import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, success, trackerId } from '../../../test-support/fake-api.js';
import { connectionRefused, createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { checkNode, checkTransport } from './check-machine.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

interface Found {
  readonly check: string;
  readonly outcome: string;
  readonly found: string;
  readonly remedy: string | null;
}

async function examine(line = 'doctor', env: Record<string, string> = {}) {
  const { code, stdout } = await machine.run(`${line} -o json`, { env });
  const checks = JSON.parse(stdout) as Found[];
  const of = (name: string) => checks.find(({ check }) => check === name);
  return { code, checks, of };
}

async function writeProfile(text: string, mode = 0o600): Promise<string> {
  const directory = join(machine.configHome, 'centavo/profiles/default');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'profile.json'), text);
  await chmod(join(directory, 'profile.json'), mode);
  return directory;
}

describe('centavo doctor', () => {
  it('reports no failure on a correct installation, and exits 0', async () => {
    const { code, checks } = await examine();
    expect(checks.map(({ check, outcome }) => `${check} ${outcome}`)).toEqual([
      'node ok',
      'settings ok',
      'permissions ok',
      'transport ok',
      'proxy ok',
      'server ok',
      'clock ok',
      'version ok',
      'credential ok',
      'tracker ok',
    ]);
    expect(code).toBe(0);
    expect((await machine.run('doctor')).stderr).toContain('All checks passed.');
  });

  it('exits 1 and prints a remedy for a damaged profile', async () => {
    await writeProfile('{');
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of('settings')).toMatchObject({ outcome: 'fail', remedy: 'Remove the file and log in again.' });
  });

  it('exits 1 and prints a remedy for a malformed base URL', async () => {
    const { code, of } = await examine('doctor', { CENTAVO_BASE_URL: 'nonsense' });
    expect([code, of('settings')?.outcome]).toEqual([1, 'fail']);
    expect(of('settings')?.remedy).toContain('https://');
  });

  it.skipIf(process.platform === 'win32')(
    'exits 1 for a profile that other users can read, and prints the chmod command',
    async () => {
      const directory = await writeProfile('{}', 0o644);
      const { code, of } = await examine();
      expect(code).toBe(1);
      expect(of('permissions')).toMatchObject({
        outcome: 'fail',
        remedy: `chmod go= ${join(directory, 'profile.json')}`,
      });
    },
  );

  it('exits 1 for an http base URL with a remote host, and does not check the server', async () => {
    const { code, of } = await examine('doctor --base-url http://money.example.com');
    expect([code, of('transport')?.outcome, of('server')]).toEqual([1, 'fail', undefined]);
  });

  it.each<[string, Record<string, string>, string]>([
    ['"none" if no proxy is set', {}, 'none'],
    ['a proxy on this machine', { HTTP_PROXY: 'http://127.0.0.1:3128' }, 'http://127.0.0.1:3128 (HTTP_PROXY)'],
    [
      'a proxy with credentials, but not the credentials',
      { http_proxy: 'http://ana:secret@127.0.0.1:3128' },
      'http://127.0.0.1:3128 (http_proxy), with a user and a password',
    ],
    [
      'that NO_PROXY excludes the server',
      { HTTP_PROXY: 'http://127.0.0.1:3128', NO_PROXY: '127.0.0.1' },
      'none: NO_PROXY excludes 127.0.0.1',
    ],
  ])('shows %s', async (_, env, found) => {
    expect((await examine('doctor', env)).of('proxy')).toMatchObject({ outcome: 'ok', found });
  });

  it('exits 1 for a malformed proxy URL, names the variable but prints no password, and sends nothing', async () => {
    const { code, of } = await examine('doctor', { HTTPS_PROXY: 'ftp://ana:secret@proxy.example' });
    expect([code, of('server')]).toEqual([1, undefined]);
    expect(of('proxy')).toMatchObject({ outcome: 'fail', found: 'HTTPS_PROXY is not an http or https URL.' });
    expect(of('proxy')?.remedy).not.toContain('secret');
    expect(api.requests).toEqual([]);
  });

  it('exits 1 for an unreachable server, and reports a failed check for a server that is not ready', async () => {
    machine.connectionFault = connectionRefused;
    const unreachable = await examine();
    expect([unreachable.code, unreachable.of('server')?.outcome, unreachable.of('credential')]).toEqual([
      1,
      'fail',
      undefined,
    ]);
    machine.connectionFault = () => undefined;
    api.pages.isReady = false;
    expect((await examine()).of('server')).toMatchObject({ outcome: 'fail', found: 'reachable, but not ready' });
  });

  it('warns if the clock differs by more than 30 s from the clock of the server, and exits 0', async () => {
    api.pages.clockAheadMs = 31_000;
    const { code, of } = await examine();
    expect([code, of('clock')?.outcome, of('clock')?.found]).toEqual([0, 'warn', '31 s behind the server']);
    expect((await machine.run('doctor')).stderr).toContain('No check failed. Checks with a warning: 1 of 10.');
    api.pages.clockAheadMs = -30_000;
    expect((await examine()).of('clock')).toMatchObject({ outcome: 'ok' });
  });

  it('warns if the server reports no version, or a major version other than that of the CLI', async () => {
    api.pages.version = '2.0.0';
    expect((await examine()).of('version')).toMatchObject({ outcome: 'warn' });
    api.pages.version = undefined;
    const { code, of } = await examine();
    expect([code, of('version')?.outcome]).toEqual([0, 'warn']);
  });

  it('exits 1 if there is no session, or if the server refuses the credential', async () => {
    const loggedOut = await examine('doctor', { CENTAVO_TOKEN: '' });
    expect([loggedOut.code, loggedOut.of('credential')?.outcome]).toEqual([1, 'fail']);
    expect(loggedOut.of('credential')?.remedy).toContain('centavo login');
    api.fault = () => refusal(401, 'CREDENTIAL_REVOKED');
    const refused = await examine();
    expect([refused.code, refused.of('credential')?.outcome]).toEqual([1, 'fail']);
    expect(refused.of('credential')?.remedy).toContain('CENTAVO_TOKEN');
  });

  it('warns about an API key that expires in 1 day, and names "keys rotate"', async () => {
    const principal = { type: 'user', id: trackerId, name: 'cron', kind: 'secure', scopes: [] };
    api.fault = ({ url }) => {
      if (!url.pathname.endsWith('/context')) return undefined;
      const context = { activeTrackerId: trackerId, defaultTrackerId: null, resolvedBy: 'single' };
      return success({ ...context, principal: { ...principal, expiresAt: '2026-01-03T00:00:00.000Z' } });
    };
    const { code, of } = await examine();
    expect([code, of('credential')?.outcome]).toEqual([0, 'warn']);
    expect(of('credential')?.found).toContain('in 1 day');
    expect(of('credential')?.remedy).toBe('Create a new key with "centavo keys rotate".');
  });

  it('exits 130 after Ctrl-C', async () => {
    machine.interruption.abort();
    expect(await machine.run('doctor')).toMatchObject({ code: 130 });
  });
});

describe('checkNode', () => {
  it.each([
    ['v20.18.3', 'fail'],
    ['v20.19.0', 'ok'],
    ['v22.0.0', 'ok'],
    ['v18.20.0', 'fail'],
  ])('maps Node.js %s to the outcome %s', (version, outcome) => {
    expect(checkNode(version).outcome).toBe(outcome);
  });
});

describe('checkTransport', () => {
  it.each([
    ['https://money.example.com/v1/financial', 'ok'],
    ['http://127.0.0.1:8080/v1/financial', 'ok'],
    ['http://[::1]:8080/v1/financial', 'ok'],
    ['http://localhost/v1/financial', 'ok'],
    ['http://api.localhost/v1/financial', 'fail'],
    ['http://localhost.example.com/v1/financial', 'fail'],
    ['http://10.0.0.1/v1/financial', 'fail'],
  ])('maps %s to the outcome %s', (baseUrl, outcome) => {
    expect(checkTransport(baseUrl).outcome).toBe(outcome);
  });
});
