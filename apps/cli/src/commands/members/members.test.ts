import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeApi, refusal, tracker, trackerId } from '../../../test-support/fake-api.js';
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

it('members are those of the tracker that the settings name, or the server acts in', async () => {
  expect((await machine.run('members list')).stdout).toMatch(
    /ana@example\.com +Ana +owner +active +2026-01-01 +2025-06-01/,
  );
  expect(api.requests.at(-1)?.path).toBe(`/trackers/${trackerId}/members`);
  const cabin = tracker({ id: '0199c5a0-0000-7000-8000-000000000002', name: 'Cabin' });
  api.trackers.push(cabin);
  await machine.run('members list --tracker cabin');
  expect(api.requests.at(-1)?.path).toBe(`/trackers/${cabin.id}/members`);
});

it('a user is invited, and told how to accept', async () => {
  const { code, stdout, stderr } = await machine.run('members add eva@example.com --role editor -o json');
  expect(code).toBe(0);
  expect(api.requests.at(-1)?.body).toEqual({ email: 'eva@example.com', role: 'editor' });
  expect(JSON.parse(stdout)).toMatchObject({ email: 'eva@example.com', status: 'invited' });
  expect(stderr).toContain(`eva@example.com is invited. They accept with "centavo invitations accept ${trackerId}"`);
  expect((await machine.run('members list')).stdout).toMatch(/eva@example\.com +editor +invited/);
});

it('a member is given another role by e-mail or name', async () => {
  const luis = api.records.members[1];
  for (const wanted of ['LUIS@example.com', 'luis', String(luis?.userId)]) {
    expect(await machine.run(`members change-role ${wanted} --role admin`)).toMatchObject({ code: 0 });
    expect(api.writes.at(-1)).toBe(`PATCH /trackers/${trackerId}/members/${luis?.userId}`);
  }
  expect(await machine.run('members change-role nobody@example.com --role admin')).toMatchObject({ code: 5 });
});

it('somebody who has not registered cannot be invited, and is named', async () => {
  api.fault = ({ url }) =>
    url.pathname.endsWith('/members') ? refusal(404, 'NOT_FOUND', { details: { resource: 'user' } }) : undefined;
  const { code, stderr } = await machine.run('members add nobody@example.com --role viewer');
  expect(code).toBe(5);
  expect(stderr).toContain('Nobody has registered with nobody@example.com here; they need a user first.');
});

it('a member is taken out when it is confirmed', async () => {
  expect(await machine.run('members remove luis@example.com')).toMatchObject({ code: 2 });
  expect(await machine.run('members remove luis@example.com --dry-run')).toMatchObject({ code: 0 });
  expect(api.records.members).toHaveLength(2);
  expect(await machine.run('members remove luis@example.com --yes')).toMatchObject({ code: 0, stdout: '' });
  expect(api.records.members).toHaveLength(1);
});
