import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(() => {
  api.reset();
  api.changes.add();
});

const cursor = 'AQAAAAAAAAAIq6urq6urq6s';

it('"changes -o jsonl" prints the changes as JSON lines, and the cursor for the next run to stderr', async () => {
  const machine = await createMachine();
  const { code, stdout, stderr } = await machine.run('changes --type movement,transfer -o jsonl');
  expect([code, JSON.parse(stdout).type]).toEqual([0, 'movement.created']);
  expect(stderr).toMatch(/^Continue with --since [\w-]{23}\n$/);
  expect(api.requests.at(-1)?.query).toBe('?resourceTypes=movement%2Ctransfer&limit=200');
});

it('"watch" starts after the newest change, retries while the server is unavailable, and stops after --limit changes', async () => {
  const machine = await createMachine();
  let failures = 3;
  api.fault = ({ url }) => {
    failures -= url.searchParams.has('waitSeconds') ? 1 : 0;
    return url.searchParams.has('waitSeconds') && failures >= 0 ? refusal(503, 'SERVICE_UNAVAILABLE') : undefined;
  };
  api.changes.onIdle = () => api.changes.add({ type: 'movement.voided' });
  const { code, stdout } = await machine.run('watch --limit 1 -o jsonl');
  expect([code, JSON.parse(stdout).type]).toEqual([0, 'movement.voided']);
});

it('"watch" exits 6 with "Read everything again" if the cursor points to an event that is not in the history of the tracker', async () => {
  const machine = await createMachine();
  api.fault = () => refusal(409, 'STATE_CONFLICT', { details: { reason: 'cursor_diverged', restart: true } });
  const { code, stderr } = await machine.run(`watch --since ${cursor}`);
  expect(code).toBe(6);
  expect(stderr).toContain('Read everything again');
});

it.each([
  ['changes --type user', '--type "user" is not a record type'],
  ['watch --limit 0', '--limit "0" is not a whole number'],
])('"%s" exits with 2 and names the wrong value', async (words, message) => {
  const machine = await createMachine();
  const { code, stderr } = await machine.run(words);
  expect([code, stderr.includes(message)]).toEqual([2, true]);
});
