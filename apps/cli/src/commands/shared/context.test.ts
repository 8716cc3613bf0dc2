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

describe('a tracker', () => {
  it('that is refused is told, with who named it', async () => {
    await machine.run(['trackers', 'use', 'Household']);
    api.fault = () => refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [trackerId] } });
    for (const [args, env, told] of [
      [`balances --tracker ${trackerId}`, {}, `the tracker ${trackerId}, which --tracker names.`],
      ['balances', { CENTAVO_TRACKER: trackerId }, `the tracker ${trackerId}, which CENTAVO_TRACKER names.`],
      ['balances', {}, `the tracker ${trackerId}, which the profile default names.`],
    ] as const) {
      const { code, stderr } = await machine.run(args, { env });
      expect([args, code]).toEqual([args, 4]);
      expect(stderr).toContain(told);
      expect(stderr).toContain('trackers list');
    }
  });

  it('that is refused is named by status and doctor, which advise to choose another one', async () => {
    await machine.run(['trackers', 'use', 'Household']);
    api.fault = ({ url }) =>
      url.pathname.endsWith('/context')
        ? refusal(403, 'TRACKER_FORBIDDEN', { details: { trackerIds: [trackerId] } })
        : undefined;
    for (const [args, env, origin, remedy] of [
      ['', {}, 'the profile default', 'centavo trackers use NAME'],
      [` --tracker ${trackerId}`, {}, '--tracker', 'with --tracker'],
      ['', { CENTAVO_TRACKER: trackerId }, 'CENTAVO_TRACKER', 'with --tracker'],
    ] as const) {
      const sentence = `This credential may not use the tracker ${trackerId}, which ${origin} names.`;
      const status = await machine.run(`status${args}`, { env });
      expect(status.stdout).toContain('ana@example.com');
      expect(status.stderr).toContain(sentence);
      expect(status.stderr).toContain(remedy);
      expect(status.stderr).not.toContain('trackers create');
      const doctor = await machine.run(`doctor${args} -o json`, { env });
      expect(doctor.code).toBe(1);
      expect(JSON.parse(doctor.stdout)).toContainEqual({
        check: 'tracker',
        outcome: 'fail',
        found: sentence,
        remedy: expect.stringContaining(remedy),
      });
      expect(doctor.stderr).not.toContain('Nothing stands in the way');
    }
  });

  it('of an unknown name is a fault of the tracker for doctor, not of the credential', async () => {
    const { code, stdout } = await machine.run('doctor --tracker Cabin -o json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toContainEqual({
      check: 'tracker',
      outcome: 'fail',
      found: 'There is no tracker "Cabin".',
      remedy: 'There are: Household.',
    });
  });
});
