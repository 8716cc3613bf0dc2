import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeApi, refusal, success, tracker, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
  api.records.addMember({ email: 'ana@example.com', displayName: 'Ana', role: 'owner' });
  api.records.addMember({ email: 'luis@example.com', displayName: 'Luis' });
});
afterEach(() => api.reset());

it('"members list" prints the members of the active tracker, or of the tracker that --tracker names', async () => {
  expect((await machine.run('members list')).stdout).toMatch(
    /ana@example\.com +Ana +owner +active +2026-01-01 +2025-06-01/,
  );
  expect(api.requests.at(-1)?.path).toBe(`/trackers/${trackerId}/members`);
  const cabin = tracker({ id: '0199c5a0-0000-7000-8000-000000000002', name: 'Cabin' });
  api.trackers.push(cabin);
  await machine.run('members list --tracker cabin');
  expect(api.requests.at(-1)?.path).toBe(`/trackers/${cabin.id}/members`);
});

it('"members add" invites a user, and prints the command that accepts the invitation', async () => {
  const { code, stdout, stderr } = await machine.run('members add eva@example.com --role editor -o json');
  expect(code).toBe(0);
  expect(api.requests.at(-1)?.body).toEqual({ email: 'eva@example.com', role: 'editor' });
  expect(JSON.parse(stdout)).toMatchObject({ email: 'eva@example.com', status: 'invited' });
  expect(stderr).toContain(`eva@example.com is invited. They accept with "centavo invitations accept ${trackerId}"`);
  expect((await machine.run('members list')).stdout).toMatch(/eva@example\.com +editor +invited/);
});

it('"members change-role" accepts the e-mail address, name or id of a member, and exits 5 for an unknown address', async () => {
  const luis = api.records.members[1];
  for (const wanted of ['LUIS@example.com', 'luis', String(luis?.userId)]) {
    expect(await machine.run(`members change-role ${wanted} --role admin`)).toMatchObject({ code: 0 });
    expect(api.writes.at(-1)).toBe(`PATCH /trackers/${trackerId}/members/${luis?.userId}`);
  }
  expect(await machine.run('members change-role nobody@example.com --role admin')).toMatchObject({ code: 5 });
});

it('"members add" exits 5 for an unregistered user, and names the address', async () => {
  api.fault = ({ url }) =>
    url.pathname.endsWith('/members') ? refusal(404, 'NOT_FOUND', { details: { resource: 'user' } }) : undefined;
  const { code, stderr } = await machine.run('members add nobody@example.com --role viewer');
  expect(code).toBe(5);
  expect(stderr).toContain('No user is registered as nobody@example.com.');
  expect(stderr).toContain('New users register first, with "centavo register".');
});

it('"members remove" removes a member with --yes, exits 2 without it, and changes nothing with --dry-run', async () => {
  expect(await machine.run('members remove luis@example.com')).toMatchObject({ code: 2 });
  expect(await machine.run('members remove luis@example.com --dry-run')).toMatchObject({ code: 0 });
  expect(api.records.members).toHaveLength(2);
  expect(await machine.run('members remove luis@example.com --yes')).toMatchObject({ code: 0, stdout: '' });
  expect(api.records.members).toHaveLength(1);
});

it('"members remove" withdraws the invitation of an invited user', async () => {
  api.records.addMember({ email: 'eva@example.com', status: 'invited' });
  const asked = await machine.run('members remove eva@example.com', { answers: [true] });
  expect(asked.questions).toEqual(['Withdraw the invitation for eva@example.com to "Household"?']);
  expect(asked.stderr).toBe('The invitation for eva@example.com to "Household" is withdrawn.\n');
});

it('"members remove" asks users who remove themselves to confirm that they leave the tracker', async () => {
  const userId = String(api.records.members[0]?.userId);
  api.fault = ({ url }) =>
    url.pathname.endsWith('/me')
      ? success({ userId, email: 'ana@example.com', displayName: 'Ana', totpEnrolled: true })
      : undefined;
  const { questions, stderr } = await machine.run(`members remove ${userId}`, { answers: [true] });
  expect(questions).toEqual(['Leave the tracker "Household"? Your keys stop working in it. Your records stay.']);
  expect(stderr).toBe('You have left the tracker "Household".\n');
});

it('"members remove" asks for a confirmation that names the member and the tracker', async () => {
  const { questions, stderr } = await machine.run('members remove luis', { answers: [true] });
  expect(questions).toEqual([
    'Remove luis@example.com from the tracker "Household"? Their keys stop working in it. Their records stay.',
  ]);
  expect(stderr).toBe('luis@example.com is no longer in the tracker "Household".\n');
});
