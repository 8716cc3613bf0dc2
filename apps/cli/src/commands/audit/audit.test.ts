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

const account = { type: 'account', id: '0199c5a0-0000-7000-8000-0000000000aa' };

function addEvents(count: number): void {
  for (let index = 0; index < count; index += 1) api.events.add('account.updated', account);
}

describe('security-events', () => {
  it('lists the events of the user, and exits 4 if the credential is an API key', async () => {
    const id = '0199c5a0-0000-7000-8000-000000000001';
    const change = { activeTrackerId: [null, trackerId] };
    const resource = { type: 'tracker', id: trackerId };
    api.events.ofUser.push({
      id,
      type: 'context.active_tracker_chosen',
      occurredAt: '2026-01-01T12:00:00.000Z',
      resource,
      actor: { type: 'user', id },
      requestId: id,
      change,
    });
    const { code, stdout } = await machine.run('security-events');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`activeTrackerId: none → ${trackerId}`)]);
    api.fault = () => refusal(403, 'USER_SESSION_REQUIRED');
    expect(await machine.run('security-events')).toMatchObject({ code: 4, stdout: '' });
  });
});

describe('audit list', () => {
  it('sends the values of the filter flags to the API, and prints the cursor of the next page', async () => {
    addEvents(3);
    const flags = `--resource-type account --resource-id ${account.id} --actor ${account.id} --type account.* --limit 2`;
    const { code, stdout, stderr } = await machine.run(
      `audit list ${flags} --from 2026-01-01 --to 2026-01-31 --order asc`,
    );
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [expect.stringContaining('NUMBER'), expect.anything(), expect.anything(), ''],
    ]);
    expect(stderr).toContain('--cursor 2');
    const sent = new URLSearchParams(api.requests.at(-1)?.query);
    expect(Object.fromEntries(sent)).toEqual({
      resourceType: 'account',
      resourceId: account.id,
      actorId: account.id,
      type: 'account.*',
      limit: '2',
      from: '2026-01-01',
      to: '2026-01-31',
      order: 'asc',
    });
  });

  it('lists all pages with --all', async () => {
    addEvents(250);
    const { stdout } = await machine.run('audit list --all -o jsonl');
    expect(stdout.trim().split('\n')).toHaveLength(250);
  });
});

describe('audit verify', () => {
  const readHead = async () =>
    JSON.parse((await machine.run('audit head -o json')).stdout) as { sequence: number; hash: string };

  it('verifies the hash chain up to the newest event; a second run also verifies the events added since the first run', async () => {
    addEvents(3);
    const { code, stdout, stderr } = await machine.run('audit verify');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`up to 3. The hash of event 3 is ${(await readHead()).hash}`);
    addEvents(2);
    expect(await machine.run('audit verify')).toMatchObject({ code: 0, stderr: expect.stringContaining('up to 5') });
  });

  it('exits with 1 and names an event that was changed after it was recorded', async () => {
    addEvents(3);
    Object.assign(api.events.rows[1] ?? {}, { type: 'account.created' });
    const { code, stdout } = await machine.run('audit verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining('Event 2 (')]);
  });

  it('exits with 1 in every run if the newest event that an earlier run verified is no longer in the hash chain', async () => {
    addEvents(3);
    await machine.run('audit verify');
    const { hash } = await readHead();
    api.events.reset();
    addEvents(2);
    api.events.add('account.created', account);
    api.events.add('account.created', account);
    for (let count = 0; count < 2; count += 1) {
      const { code, stdout } = await machine.run('audit verify');
      expect([code, stdout]).toEqual([1, expect.stringContaining(`Event 3 no longer has the hash ${hash}`)]);
    }
    api.events.rows.length = 1;
    expect((await machine.run('audit verify')).code).toBe(1);
  });

  it('exits with 1 if the list of events ends before the newest event that the server reported', async () => {
    addEvents(3);
    api.events.falseHead = { sequence: 4 };
    const { code, stdout } = await machine.run('audit verify');
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('The list ends with event 3, but the newest event is 4'),
    ]);
  });

  it('exits with 1 if the event that the server reported as the newest has a different hash in the list of events', async () => {
    addEvents(3);
    const hash = 'f'.repeat(64);
    api.events.falseHead = { sequence: 2, hash };
    const { code, stdout } = await machine.run('audit verify');
    expect([code, stdout]).toEqual([1, expect.stringContaining(`Event 2 in the list does not have the hash ${hash}`)]);
  });

  it('if the server has removed old events, verifies the hash chain from the first remaining event', async () => {
    addEvents(4);
    await machine.run('audit verify');
    const [, second] = api.events.rows.splice(0, 2);
    api.events.floor = { sequence: 2, hash: String(second?.hash) };
    expect(await machine.run('audit verify')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('removed the events up to 2'),
    });
  });

  it('with --deep, exits with 1 and names a record that no longer exists or that differs from its last audit event', async () => {
    const movement = {
      id: '0199c5a0-0000-7000-8000-0000000000bb',
      trackerId,
      type: 'expense',
      kind: 'regular',
      amountDecimal: '12.50',
      currencyCode: 'USD',
      accountId: account.id,
      cashboxId: account.id,
      categoryId: 'cat_unknown',
      occurredOn: '2026-01-01',
      description: null,
      merchantName: null,
      transferGroupId: null,
      externalId: null,
      source: { type: 'user', id: account.id },
      version: 1,
      voidedAt: null,
      createdAt: '2026-01-01T12:00:00.000Z',
      updatedAt: '2026-01-01T12:00:00.000Z',
    };
    api.movements.push({ ...movement });
    api.events.add('movement.created', { type: 'movement', id: movement.id }, movement);
    expect(await machine.run('audit verify --deep')).toMatchObject({ code: 0, stdout: '' });
    Object.assign(api.movements[0] ?? {}, { amountDecimal: '13.50' });
    expect((await machine.run('audit verify')).code).toBe(0);
    expect(await machine.run('audit verify --deep')).toMatchObject({
      code: 1,
      stdout: `The movement ${movement.id} differs from its last event.\n`,
    });
    api.movements.length = 0;
    expect(await machine.run('audit verify --deep')).toMatchObject({
      code: 1,
      stdout: `The movement ${movement.id} does not exist, or differs from its last event.\n`,
    });
  });
});
