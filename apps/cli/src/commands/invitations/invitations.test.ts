import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeApi } from '../../../test-support/fake-api.js';
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

it('lists the open invitations with tracker, role, inviter and end', async () => {
  const { code, stdout } = await machine.run('invitations list');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Cabin +viewer +eva@example\.com +2026-01-31/m);
  const { stdout: json } = await machine.run('invitations list -o json');
  expect(JSON.parse(json)).toEqual(api.records.invitations);
});

it('accepts an invitation by the name or the id of its tracker', async () => {
  const { code, stdout, stderr } = await machine.run('invitations accept cabin -o json');
  expect(code).toBe(0);
  expect(api.writes).toEqual([`POST /invitations/${cabinId}/accept`]);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'active' });
  expect(stderr).toContain(`centavo trackers use ${cabinId}`);
  expect(await machine.run(`invitations accept ${cabinId}`)).toMatchObject({ code: 5 });
});

it('declines an invitation, which is then gone', async () => {
  expect(await machine.run('invitations decline Cabin --dry-run')).toMatchObject({ code: 0 });
  expect(api.writes).toEqual([]);
  expect(await machine.run('invitations decline Cabin')).toMatchObject({ code: 0, stdout: '' });
  expect(api.writes).toEqual([`DELETE /invitations/${cabinId}`]);
  const { code, stderr } = await machine.run('invitations decline Cabin');
  expect(code).toBe(5);
  expect(stderr).toContain('There is no invitation "Cabin".');
  expect(stderr).toContain('There are: Club.');
});
