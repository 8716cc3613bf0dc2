import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../test-support/fake-api.js';
import { connectionRefused, createMachine, type TestMachine } from '../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const noToken = { CENTAVO_TOKEN: '' };
const elsewhere = { ...noToken, CENTAVO_BASE_URL: 'http://127.0.0.1:9' };
const logIn = () =>
  machine.run('login --email ana@example.com --password-stdin', { env: noToken, stdin: 'correct horse battery' });

describe('a command', () => {
  it.each([
    ['the session is for this server', noToken],
    ['the session is for another server', elsewhere],
  ])('exits 9 without advice to log in if the server is unreachable and %s', async (_, env) => {
    await logIn();
    machine.connectionFault = connectionRefused;
    for (const line of ['status', 'accounts list', 'balances']) {
      const { code, stderr } = await machine.run(line, { env });
      expect([line, code]).toEqual([line, 9]);
      expect(stderr).toMatch(/^centavo: The server at 127\.0\.0\.1:\d+ could not be reached/);
      expect(stderr).toContain('--base-url');
      expect(stderr).not.toContain('centavo login');
    }
  });

  it('exits 9 if the server is unreachable and the user has no session', async () => {
    machine.connectionFault = connectionRefused;
    expect(await machine.run('balances', { env: noToken })).toMatchObject({ code: 9 });
  });

  it('exits 3 and advises the user to log in if the server responds but no session exists', async () => {
    const { code, stderr } = await machine.run('balances', { env: noToken });
    expect(code).toBe(3);
    expect(stderr).toContain('centavo login');
  });
});

it('logout removes the local session if the server is unreachable, and does not advise the user to repeat the command', async () => {
  await logIn();
  machine.connectionFault = connectionRefused;
  const { code, stderr } = await machine.run('logout', { env: noToken });
  expect(code).toBe(9);
  expect(stderr).toContain('removed from this machine');
  expect(stderr).not.toContain('repeat the command');
});
