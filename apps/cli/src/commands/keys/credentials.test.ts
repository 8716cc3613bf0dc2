import { scopes } from '@centavo/sdk';
import { aSecret } from '@centavo/sdk/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('keys rotate', () => {
  it('prints only the new secret to stdout, and the command that revokes the old key to stderr', async () => {
    const old = api.records.addKey({ name: 'import' });
    const { code, stdout, stderr } = await machine.run('keys rotate import');
    expect([code, stdout]).toEqual([0, `${aSecret()}\n`]);
    expect(stderr).toContain(`centavo keys revoke ${old.clientId}`);
    expect(await machine.run('keys rotate import --quiet')).toMatchObject({ code: 2 });
    expect(await machine.run(`keys rotate ${old.clientId} --quiet`)).toMatchObject({
      code: 0,
      stdout: `${aSecret()}\n`,
      stderr: '',
    });
  });

  it('prints the new API key and its secret with -o json, and sends the values of --name and --expires-in', async () => {
    const old = api.records.addKey({ name: 'import' });
    const { stdout } = await machine.run('keys rotate abcd --name fresh --expires-in 30d -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      secret: aSecret(),
      rotatedFrom: old.clientId,
      name: 'fresh',
    });
    expect(api.requests.at(-1)?.body).toEqual({ name: 'fresh', expiresAt: '2026-01-31T12:00:00.000Z' });
  });

  it('accepts a one-time code from --code or a prompt, and exits 3 without a code', async () => {
    const old = api.records.addKey({ name: 'import' });
    api.fault = ({ url, headers }) =>
      url.pathname.endsWith('/rotate') && headers.get('authorization') !== 'Bearer stepped-up'
        ? refusal(401, 'STEP_UP_REQUIRED', { details: { method: 'totp', maxAgeSeconds: 600 } })
        : undefined;
    expect(await machine.run('keys rotate import')).toMatchObject({ code: 3, stdout: '' });
    expect(await machine.run('keys rotate import --code 123456')).toMatchObject({ code: 0 });
    expect(await machine.run(`keys rotate ${old.clientId}`, { answers: ['123456'] })).toMatchObject({
      code: 0,
      stdout: `${aSecret()}\n`,
      questions: ['One-time code'],
    });
  });

  it('prints the request with --dry-run, and sends no write', async () => {
    const old = api.records.addKey({ name: 'import' });
    const { stdout } = await machine.run('keys rotate import --dry-run -o json');
    expect(JSON.parse(stdout)).toMatchObject({
      call: 'credentials.rotateApiKey',
      pathParameters: { clientId: old.clientId },
    });
    expect(api.writes).toEqual([]);
  });
});

describe.each([
  ['keys', 'key', () => api.records.addKey({ name: 'sync', secretLast4: 'x7Qa' }), 'api-keys'],
  ['clients', 'client', () => api.records.addClient({ name: 'sync', secretLast4: 'x7Qa' }), 'integration-clients'],
] as const)('%s revoke', (noun, word, add, path) => {
  it('prompts for a confirmation on a terminal, and requires --yes without a terminal', async () => {
    const record = add();
    const refused = await machine.run(`${noun} revoke sync`);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--yes');
    const declined = await machine.run(`${noun} revoke sync`, { answers: [false] });
    expect(declined).toMatchObject({ code: 2, stdout: '' });
    expect(declined.questions[0]).toContain(`the ${word} sync (its secret ends in x7Qa; active)`);
    expect(api.writes).toEqual([]);
    expect(await machine.run(`${noun} revoke sync`, { answers: [true] })).toMatchObject({ code: 0, stdout: '' });
    expect(api.writes).toEqual([`DELETE /${path}/${record.clientId}`]);
  });

  it('finds a credential by the last four characters of its secret; of two with the given name, revokes the active one', async () => {
    add();
    expect(await machine.run(`${noun} revoke x7Qa --yes`)).toMatchObject({ code: 0 });
    const fresh = add();
    expect(await machine.run(`${noun} revoke sync --yes`)).toMatchObject({ code: 0 });
    expect(api.writes.at(-1)).toBe(`DELETE /${path}/${fresh.clientId}`);
    expect(await machine.run(`${noun} revoke nope --yes`)).toMatchObject({ code: 5 });
  });

  it('does not prompt and sends no write with --dry-run', async () => {
    add();
    expect(await machine.run(`${noun} revoke sync --dry-run`)).toMatchObject({ code: 0 });
    expect(api.writes).toEqual([]);
  });
});

describe('an unknown scope', () => {
  it.each(['keys', 'clients'])(
    'is rejected by "%s create" without a request; the help lists all scopes',
    async (noun) => {
      const { code, stderr } = await machine.run(`${noun} create x --scope movement:read --all-managed --code 123456`);
      expect(code).toBe(2);
      expect(stderr).toContain('--scope movement:read is not valid.');
      expect(stderr).toContain('movements:read');
      expect(api.requests).toEqual([]);
      const { stdout: help } = await machine.run(`${noun} create --help`);
      for (const scope of scopes) expect(help).toContain(scope);
    },
  );
});

describe('clients create', () => {
  it('sends no tracker restriction by default, and sends the ids of the trackers that --for-tracker names', async () => {
    const all = await machine.run('clients create assistant --scope movements:read');
    expect(all).toMatchObject({ code: 0, stdout: `${aSecret()}\n` });
    expect(api.requests.at(-1)?.body).toEqual({ name: 'assistant', scopes: ['movements:read'] });
    await machine.run('clients create sync --scope movements:read --for-tracker Household --expires-in 12h');
    expect(api.requests.at(-1)?.body).toMatchObject({
      access: { mode: 'selected', trackerIds: [trackerId] },
      expiresAt: '2026-01-02T00:00:00.000Z',
    });
    expect(await machine.run('clients create x --all-managed --for-tracker Household')).toMatchObject({ code: 2 });
  });

  it('creates a client, and "clients list" does not print its secret', async () => {
    await machine.run('clients create assistant --scope movements:read');
    const { stdout } = await machine.run('clients list -o json');
    expect(stdout).toContain('assistant');
    expect(stdout).not.toContain(aSecret());
  });
});
