import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, success, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';
import { describeExpiry } from './describe-expiry.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

/** Makes the API treat the credential as an API key, which may not read a user. */
function useKey(expiresAt: string, kind = 'secure') {
  const principal = { type: 'user', id: trackerId, name: 'backup', kind, scopes: ['movements:read'], expiresAt };
  api.fault = ({ url }) => {
    if (url.pathname.endsWith('/me')) return refusal(403, 'USER_SESSION_REQUIRED');
    if (!url.pathname.endsWith('/context')) return undefined;
    return success({ activeTrackerId: trackerId, defaultTrackerId: null, resolvedBy: 'single', principal });
  };
}

describe('centavo status', () => {
  it('shows server, profile, user, tracker and expiry of a session', async () => {
    const env = { CENTAVO_TOKEN: '' };
    await machine.run('login --email ana@example.com --password-stdin', { env, stdin: 'correct horse battery' });
    const { code, stdout, stderr } = await machine.run('status -o json', { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      baseUrl: 'http://127.0.0.1:8080/v1/financial',
      profile: 'default',
      user: { email: 'ana@example.com', totpEnrolled: true },
      credential: { kind: 'session', source: 'profile', expiresAt: '2026-01-31T12:00:00.000Z' },
      tracker: { id: trackerId, name: 'Household', role: 'owner' },
    });
    expect(stderr).toBe('');
    const { stdout: table } = await machine.run('status', { env });
    expect(table).toMatch(/^TRACKER +Household \(owner/m);
    expect(table).toMatch(/^SCOPES +all$/m);
  });

  it('reports the number of open invitations of the user', async () => {
    api.records.addInvitation({ trackerName: 'Cabin' });
    const first = await machine.run('status');
    expect(first.stderr).toContain('You have 1 open invitation. See "centavo invitations list".');
    api.records.addInvitation({ trackerName: 'Club' });
    expect((await machine.run('status')).stderr).toContain('You have 2 open invitations.');
  });

  it.each([
    ['0 if an older server does not support invitations', () => refusal(404, 'NOT_FOUND'), 0],
    ['8 if the server fails', () => refusal(500, 'INTERNAL_ERROR'), 8],
    ['9 if the response is not a list', () => success({}), 9],
  ])('prints the status even if it cannot read the invitations, and exits %s', async (_, respond, expected) => {
    api.fault = ({ url }) => (url.pathname.endsWith('/invitations') ? respond() : undefined);
    const { code, stdout } = await machine.run('status');
    expect(code).toBe(expected);
    expect(stdout).toMatch(/^TRACKER +Household \(owner/m);
  });

  it('warns on stderr about an API key that expires within 14 days, even with --quiet', async () => {
    useKey('2026-01-10T12:00:00.000Z');
    const { code, stdout, stderr } = await machine.run('status --quiet -o json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).credential).toMatchObject({ kind: 'secure', name: 'backup', source: 'CENTAVO_TOKEN' });
    expect(stderr).toContain('expires in 9 days');
    expect(stderr).toContain('keys rotate');
    useKey('2026-01-15T12:00:00.000Z');
    expect((await machine.run('status -o json')).stderr).toBe('');
  });

  it('advises the user to create another client if the credential is an integration client that expires in 1 day', async () => {
    useKey('2026-01-02T12:00:00.000Z', 'integration_client');
    const { stderr } = await machine.run('status');
    expect(stderr).toContain('Create another client with "centavo clients create", then revoke this one.');
  });

  it('names the command that creates a tracker if the user has no tracker', async () => {
    api.fault = ({ url }) =>
      url.pathname.endsWith('/context')
        ? refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [] } })
        : undefined;
    const { code, stdout, stderr } = await machine.run('status');
    expect(code).toBe(0);
    expect(stdout).toContain('ana@example.com');
    expect(stderr).toContain('centavo trackers create');
  });

  it('reports that an API key is valid but lacks the scope context:read', async () => {
    api.fault = ({ url }) => {
      if (url.pathname.endsWith('/me')) return refusal(403, 'USER_SESSION_REQUIRED');
      return refusal(403, 'INSUFFICIENT_SCOPE', { details: { requiredScopes: ['context:read'] } });
    };
    const { code, stdout } = await machine.run('status');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^CREDENTIAL +a valid key without the scope context:read/m);
  });

  it('exits 3 for a rejected credential', async () => {
    api.fault = () => refusal(401, 'CREDENTIAL_REVOKED');
    expect(await machine.run('status')).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('describeExpiry', () => {
  it.each([
    ['2026-01-01T11:59:59Z', 'has expired'],
    ['2026-01-01T13:00:00Z', 'expires today'],
    ['2026-01-02T13:00:00Z', 'expires in 1 day'],
    ['2026-01-15T11:59:59Z', 'expires in 13 days'],
  ])('warns at 2026-01-01T12:00:00Z that a credential with the expiry %s %s', (expiresAt, warning) => {
    expect(describeExpiry(expiresAt, Date.parse('2026-01-01T12:00:00Z')).warning).toContain(warning);
  });

  it('returns no warning if the credential is valid for two weeks or more', () => {
    expect(describeExpiry('2026-01-15T12:00:00Z', Date.parse('2026-01-01T12:00:00Z')).warning).toBeUndefined();
  });
});
