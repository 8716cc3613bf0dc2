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

describe('an unreachable server', () => {
  it.each([
    ['with a session of this server', noToken],
    ['with the session of another server', elsewhere],
  ])('is reported with exit code 9 %s, without advice to log in', async (_, env) => {
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

  it('is reported with exit code 9 without a session', async () => {
    machine.connectionFault = connectionRefused;
    expect(await machine.run('balances', { env: noToken })).toMatchObject({ code: 9 });
  });

  it('is distinguished from a server that responds, for which the advice is to log in', async () => {
    const { code, stderr } = await machine.run('balances', { env: noToken });
    expect(code).toBe(3);
    expect(stderr).toContain('centavo login');
  });
});

it('logout removes the session if the server is unreachable, and does not advise to repeat the command', async () => {
  await logIn();
  machine.connectionFault = connectionRefused;
  const { code, stderr } = await machine.run('logout', { env: noToken });
  expect(code).toBe(9);
  expect(stderr).toContain('removed from this machine');
  expect(stderr).not.toContain('repeat the command');
});
