import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('a server that cannot answer', () => {
  it('leaves nothing in doubt after a read, and is asked again when it says', async () => {
    api.fault = () => refusal(503, 'SERVICE_UNAVAILABLE', { retryAfter: '90' });
    for (const line of ['balances', 'movements list', 'api GET /accounts']) {
      const { code, stderr } = await machine.run(line);
      expect([line, code]).toEqual([line, 8]);
      expect(stderr).toContain('try: Nothing was changed by this. Repeat the command in 90 s.');
      expect(stderr).toContain('request id: c0ffee00');
    }
  });

  it('leaves a write in doubt, whatever was read before it', async () => {
    api.fault = ({ url, body }) =>
      url.pathname.endsWith('/trackers') && body.name !== undefined ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined;
    const { code, stderr } = await machine.run('trackers create Cabin --currency EUR');
    expect(code).toBe(8);
    expect(stderr).toContain('Look whether it was recorded');
  });
});

describe('a key without the scope to look first', () => {
  beforeEach(() => {
    api.fault = () => refusal(403, 'INSUFFICIENT_SCOPE', { details: { requiredScopes: ['x:read'] } });
  });

  it.each([
    'trackers create Cabin --currency EUR',
    'trackers update Household --name Home',
    'accounts create Cash',
    'accounts update Cash --name Coins',
    'cashboxes create Cash Jar',
    'cashboxes update Jar --name Box',
    'members list',
    'members add eva@example.com --role viewer',
    'members change-role eva@example.com --role viewer',
    'members remove eva@example.com --yes',
  ])('is sent to "centavo login" by %s, which no scope allows', async (line) => {
    const { code, stderr } = await machine.run(line);
    expect(code).toBe(4);
    expect(stderr).toContain('run "centavo login"');
    expect(stderr).not.toContain('x:read');
  });

  it('is told the scope by what a key may do', async () => {
    expect((await machine.run('balances')).stderr).toContain('Use a key with the scope x:read.');
  });
});
