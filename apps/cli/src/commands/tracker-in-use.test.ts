import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, trackerId } from '../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../test-support/run-in-test.js';

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
});
