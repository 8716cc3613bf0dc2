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

it('"invitations list" prints the tracker, role, inviter and expiry of each open invitation', async () => {
  const { code, stdout } = await machine.run('invitations list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Cabin +viewer +eva@example\.com +2026-01-31/m);
  const { stdout: json } = await machine.run('invitations list -o json');
  expect(JSON.parse(json)).toEqual(api.records.invitations);
});

it('"invitations list" reports that the user has no open invitation', async () => {
  api.records.invitations.length = 0;
  expect((await machine.run('invitations list')).stderr).toContain('You have no open invitation.');
});

it('"invitations accept" accepts a tracker name, and exits 5 if the invitation was accepted before', async () => {
  const { code, stdout, stderr } = await machine.run('invitations accept cabin -o json');
  expect(code).toBe(0);
  expect(api.writes).toEqual([`POST /invitations/${cabinId}/accept`]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'active' });
  expect(stderr).toContain('centavo trackers use Cabin');
  expect(await machine.run(`invitations accept ${cabinId}`)).toMatchObject({ code: 5 });
});

it('"invitations accept" prints role and tracker; suggests a command with the id if the tracker name has shell syntax', async () => {
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
  '"invitations %s" exits 5 without an open invitation to the tracker, and names "invitations list"',
  async (verb) => {
    const id = '0199c5a0-0000-7000-8000-000000000009';
    const { code, stderr } = await machine.run(`invitations ${verb} ${id}`);
    expect(code).toBe(5);
    expect(stderr).toContain(`There is no open invitation to the tracker ${id}.`);
    expect(stderr).toContain('try: See "centavo invitations list".');
    expect(api.writes).toEqual([]);
  },
);

it('"invitations decline" prints the name of the tracker even if the user typed its id', async () => {
  const { stderr } = await machine.run(`invitations decline ${cabinId}`);
  expect(stderr).toBe('The invitation to "Cabin" is declined.\n');
});

it.each(['trackers use Cabin', 'balances --tracker cabin'])(
  '"%s" exits 5 and advises an invited user to accept the invitation',
  async (line) => {
    const { code, stderr } = await machine.run(line);
    expect(code).toBe(5);
    expect(stderr).toContain('There is no tracker "');
    expect(stderr).toContain('try: You are invited to "Cabin". To accept: centavo invitations accept Cabin');
  },
);

it.each([
  ['an API key may not list invitations', () => refusal(403, 'USER_SESSION_REQUIRED')],
  ['an older server does not support invitations', () => refusal(404, 'NOT_FOUND')],
])('"balances" exits 5 for an unknown tracker, and lists the existing trackers, if %s', async (_, respond) => {
  api.fault = ({ url }) => (url.pathname.endsWith('/invitations') ? respond() : undefined);
  const { code, stderr } = await machine.run('balances --tracker Cabin');
  expect(code).toBe(5);
  expect(stderr).toContain('try: There are: Household.');
});

it('"balances" advises a user without a tracker to run "invitations list"', async () => {
  api.fault = ({ url }) =>
    url.pathname.endsWith('/balances') ? refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [] } }) : undefined;
  expect((await machine.run('balances')).stderr).toContain('or join one: "centavo invitations list".');
});

it('"invitations decline" removes the invitation, and sends no write with --dry-run', async () => {
  expect(await machine.run('invitations decline Cabin --dry-run')).toMatchObject({ code: 0 });
  expect(api.writes).toEqual([]);
  expect(await machine.run('invitations decline Cabin')).toMatchObject({ code: 0, stdout: '' });
  expect(api.writes).toEqual([`DELETE /invitations/${cabinId}`]);
  const { code, stderr } = await machine.run('invitations decline Cabin');
  expect(code).toBe(5);
  expect(stderr).toContain('There is no invitation "Cabin".');
  expect(stderr).toContain('There are: Club.');
});
