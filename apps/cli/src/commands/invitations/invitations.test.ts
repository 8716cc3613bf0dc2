import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;
let cabinId: string;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
  cabinId = String(api.records.addInvitation({ trackerName: 'Cabin', role: 'viewer' }).trackerId);
  api.records.addInvitation({ trackerName: 'Club' });
});
afterEach(() => api.reset());

it('lists the open invitations with tracker, role, inviter and expiry', async () => {
  const { code, stdout } = await machine.run('invitations list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Cabin +viewer +eva@example\.com +2026-01-31/m);
  const { stdout: json } = await machine.run('invitations list -o json');
  expect(JSON.parse(json)).toEqual(api.records.invitations);
});

it('reports that the list of invitations is empty', async () => {
  api.records.invitations.length = 0;
  expect((await machine.run('invitations list')).stderr).toContain('You have no open invitation.');
});

it('accepts an invitation by the name or the id of its tracker', async () => {
  const { code, stdout, stderr } = await machine.run('invitations accept cabin -o json');
  expect(code).toBe(0);
  expect(api.writes).toEqual([`POST /invitations/${cabinId}/accept`]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'active' });
  expect(stderr).toContain('centavo trackers use Cabin');
  expect(await machine.run(`invitations accept ${cabinId}`)).toMatchObject({ code: 5 });
});

it('prints role and tracker after an acceptance, and the id instead of a name that a shell may interpret', async () => {
  const { stdout, stderr } = await machine.run(`invitations accept ${cabinId}`);
  expect(stdout).toBe('');
  expect(stderr).toBe('You are now viewer in "Cabin". To act in it: centavo trackers use Cabin\n');
  api.records.addInvitation({ trackerName: 'Beach house' });
  expect((await machine.run(['invitations', 'accept', 'Beach house'])).stderr).toContain('use "Beach house"\n');
  const hostile = api.records.addInvitation({ trackerName: 'a$(reboot)' });
  const { stderr: advice } = await machine.run(['invitations', 'accept', 'a$(reboot)']);
  expect(advice).toContain(`trackers use ${hostile.trackerId}\n`);
});

it.each(['accept', 'decline'])(
  'exits 5 for "invitations %s" without an invitation to that tracker, and names "invitations list"',
  async (verb) => {
    const id = '0199c5a0-0000-7000-8000-000000000009';
    const { code, stderr } = await machine.run(`invitations ${verb} ${id}`);
    expect(code).toBe(5);
    expect(stderr).toContain(`There is no open invitation to the tracker ${id}.`);
    expect(stderr).toContain('try: See "centavo invitations list".');
    expect(api.writes).toEqual([]);
  },
);

it('prints the name of the tracker when an invitation is declined by id', async () => {
  const { stderr } = await machine.run(`invitations decline ${cabinId}`);
  expect(stderr).toBe('The invitation to "Cabin" is declined.\n');
});

it.each(['trackers use Cabin', 'balances --tracker cabin'])(
  '%s advises to accept the invitation to that tracker',
  async (line) => {
    const { code, stderr } = await machine.run(line);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no tracker "');
    expect(stderr).toContain('try: You are invited to "Cabin". To accept: centavo invitations accept Cabin');
  },
);

it.each([
  ['an API key', () => refusal(403, 'USER_SESSION_REQUIRED')],
  ['an older server', () => refusal(404, 'NOT_FOUND')],
])('lists the existing trackers, and no invitations, for an unknown tracker with %s', async (_, answer) => {
  api.fault = ({ url }) => (url.pathname.endsWith('/invitations') ? answer() : undefined);
  const { code, stderr } = await machine.run('balances --tracker Cabin');
  expect(code).toBe(5);
  expect(stderr).toContain('try: There are: Household.');
});

it('advises a user without a tracker to run "invitations list"', async () => {
  api.fault = ({ url }) =>
    url.pathname.endsWith('/balances') ? refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [] } }) : undefined;
  expect((await machine.run('balances')).stderr).toContain('or join one: "centavo invitations list".');
});

it('removes a declined invitation, and sends nothing in a dry run', async () => {
  expect(await machine.run('invitations decline Cabin --dry-run')).toMatchObject({ code: 0 });
  expect(api.writes).toEqual([]);
  expect(await machine.run('invitations decline Cabin')).toMatchObject({ code: 0, stdout: '' });
  expect(api.writes).toEqual([`DELETE /invitations/${cabinId}`]);
  const { code, stderr } = await machine.run('invitations decline Cabin');
  expect(code).toBe(5);
  expect(stderr).toContain('There is no invitation "Cabin".');
  expect(stderr).toContain('There are: Club.');
});
