import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

const register = 'register --email ana@example.com --display-name Ana --password-stdin';
const stdin = 'correct horse battery\n';

describe('centavo register', () => {
  it('creates the user, shows no password, stores nothing, and names the login command', async () => {
    const { code, stdout, stderr } = await machine.run(`${register} -o json`, { stdin });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ email: 'ana@example.com', displayName: 'Ana' });
    expect(api.requests.at(-1)).toMatchObject({
      path: '/users',
      body: { email: 'ana@example.com', displayName: 'Ana', password: 'correct horse battery' },
    });
    expect(stdout + stderr).not.toContain('horse');
    expect(stderr).toContain('centavo login --email ana@example.com');
    expect(await readdir(machine.configHome)).toEqual([]);
  });

  it('prints the login command with the given --base-url, because the profile does not store the URL yet', async () => {
    const server = 'http://127.0.0.1:8080/v1/financial';
    expect((await machine.run(`${register} --base-url ${server}`, { stdin })).stderr).toContain(
      `"centavo login --email ana@example.com --base-url ${server}"`,
    );
  });

  it('sends no token, even if the environment contains a token', async () => {
    await machine.run(register, { stdin });
    expect(api.requests.at(-1)?.headers.get('authorization')).toBeNull();
  });

  it('asks for the password twice on a terminal, and sends nothing if the two passwords differ', async () => {
    const answers = ['ana@example.com', 'correct horse battery', 'correct horse batttery'];
    const typo = await machine.run('register', { answers });
    expect([typo.code, api.writes]).toEqual([2, []]);
    expect(typo.stderr).toContain('differ');
    const again = await machine.run('register', { answers: [...answers.slice(0, 2), 'correct horse battery'] });
    expect([again.code, api.writes]).toEqual([0, ['POST /users']]);
  });

  it('names the missing flag without a terminal', async () => {
    expect((await machine.run('register')).stderr).toContain('--email');
    const { code, stderr } = await machine.run('register --email ana@example.com');
    expect(code).toBe(2);
    expect(stderr).toContain('--password-stdin');
  });

  it('exits 6 if the address is already registered, and names the login command', async () => {
    api.fault = () => refusal(409, 'STATE_CONFLICT', { details: { reason: 'email_taken' } });
    const { code, stderr } = await machine.run(register, { stdin });
    expect(code).toBe(6);
    expect(stderr).toContain('centavo login');
  });

  it('exits 5 and refers the user to the identity provider, as "centavo login" does, if the server manages no users', async () => {
    api.fault = () => refusal(404, 'NOT_FOUND');
    for (const line of [register, 'login --email ana@example.com --password-stdin']) {
      const { code, stderr } = await machine.run(line, { stdin });
      expect([line, code]).toEqual([line, 5]);
      expect(stderr).toContain('identity provider');
    }
  });

  it('neither reads nor prints a password in a dry run', async () => {
    const { code, stdout } = await machine.run('register --email ana@example.com --dry-run -o json');
    expect([code, api.writes]).toEqual([0, []]);
    expect(JSON.parse(stdout)).toMatchObject({ call: 'identity.createUser', body: { password: '(redacted)' } });
  });
});
