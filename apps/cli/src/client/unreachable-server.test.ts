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

describe('a server that is not there', () => {
  it.each([
    ['with its session', noToken],
    ['with the session of another server', elsewhere],
  ])('is told as such %s, and nothing is said of logging in', async (_, env) => {
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

  it('is told as such to somebody without any session', async () => {
    machine.connectionFault = connectionRefused;
    expect(await machine.run('balances', { env: noToken })).toMatchObject({ code: 9 });
  });

  it('that is there asks whoever has no session to log in', async () => {
    const { code, stderr } = await machine.run('balances', { env: noToken });
    expect(code).toBe(3);
    expect(stderr).toContain('centavo login');
  });
});

it('a logout that the server could not be told of does not ask to be repeated', async () => {
  await logIn();
  machine.connectionFault = connectionRefused;
  const { code, stderr } = await machine.run('logout', { env: noToken });
  expect(code).toBe(9);
  expect(stderr).toContain('forgotten here');
  expect(stderr).not.toContain('repeat the command');
});
