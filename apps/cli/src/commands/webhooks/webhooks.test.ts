import { aCreatedWebhook } from '@centavo/sdk/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
const { secret } = aCreatedWebhook();
const url = 'https://example.com/webhooks';
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('webhooks create', () => {
  it('prints only the secret to stdout, and reports on stderr that it is not shown again', async () => {
    const { code, stdout, stderr } = await machine.run(`webhooks create ${url}`);
    expect([code, stdout]).toEqual([0, `${secret}\n`]);
    expect(stderr).toContain('it is not shown again');
    expect(api.requests.at(-1)?.body).toEqual({ url });
    expect(api.requests.at(-1)?.headers.has('idempotency-key')).toBe(false);
  });

  it('sends the value of each flag, and prints the record and the secret with -o json', async () => {
    const flags = ['--events', 'movement.*, transfer.created', '--events', 'account.*', '--payload', 'record'];
    const more = ['--own-writes', 'exclude', '--max-in-flight', '1', '--from-sequence', '7', '--description', 'Sync'];
    const { stdout } = await machine.run(['webhooks', 'create', url, ...flags, ...more, '-o', 'json']);
    expect(JSON.parse(stdout)).toMatchObject({ url, secret });
    expect(api.requests.at(-1)?.body).toEqual({
      url,
      eventTypes: ['movement.*', 'transfer.created', 'account.*'],
      payload: 'record',
      excludeOwnWrites: true,
      maxInFlight: 1,
      fromSequence: 7,
      description: 'Sync',
    });
  });

  it('sends nothing with --dry-run or a malformed number', async () => {
    expect(await machine.run(`webhooks create ${url} --dry-run`)).toMatchObject({ code: 0 });
    expect(await machine.run(`webhooks create ${url} --max-in-flight many`)).toMatchObject({ code: 2 });
    expect(api.requests).toEqual([]);
  });
});

describe.each([
  ['create', `webhooks create ${url}`],
  ['rotate', `webhooks rotate ${url}`],
  ['update', 'webhooks update x7Qa --url https://example.com/other'],
])('webhooks %s', (_, line) => {
  it('accepts a one-time code from --code or a prompt, and exits 3 without a code', async () => {
    api.webhooks.add({ url, secretLast4: 'x7Qa' });
    api.fault = requireStepUp;
    expect(await machine.run(line)).toMatchObject({ code: 3, stdout: '' });
    expect(await machine.run(`${line} --code 123456`)).toMatchObject({ code: 0 });
    expect(await machine.run(line, { answers: ['123456'] })).toMatchObject({ code: 0, questions: ['One-time code'] });
  });
});

describe('webhooks rotate', () => {
  it('prints the new secret, and reports how long the server also signs with the old secret', async () => {
    const { id } = api.webhooks.add({ url });
    const { stdout, stderr } = await machine.run(`webhooks rotate ${url}`);
    expect(stdout).toBe(`${secret}\n`);
    expect(stderr).toContain('24 hours');
    expect(api.requests.at(-1)).toMatchObject({ path: `/webhooks/${id}/rotate-secret`, body: {} });
    const { stderr: withoutOverlap } = await machine.run(`webhooks rotate ${url} --overlap-hours 0`);
    expect(withoutOverlap).not.toContain('old secret');
    expect(api.requests.at(-1)?.body).toEqual({ overlapHours: 0 });
    const { stderr: withOneHour } = await machine.run(`webhooks rotate ${url} --overlap-hours 1`);
    expect(withOneHour).toContain('signs with the old secret for 1 hour, so that');
  });
});

describe('webhooks update', () => {
  it('pauses and resumes an endpoint', async () => {
    const { id } = api.webhooks.add({ url, secretLast4: 'x7Qa' });
    expect(await machine.run('webhooks update x7Qa --status paused')).toMatchObject({ code: 0 });
    await machine.run('webhooks update x7Qa --status active --resume-from now');
    expect(api.requests.at(-1)).toMatchObject({
      path: `/webhooks/${id}`,
      body: { status: 'active', resumeFrom: 'now' },
    });
  });

  it('exits 2 and sends nothing if the user changes no field', async () => {
    expect(await machine.run(`webhooks update ${url}`)).toMatchObject({ code: 2 });
    expect(api.requests).toEqual([]);
  });
});

describe('webhooks test', () => {
  it('exits 6 for a disabled endpoint, and prints the command that activates it', async () => {
    api.webhooks.add({ url });
    api.fault = ({ url: { pathname } }) =>
      pathname.endsWith('/test')
        ? refusal(409, 'STATE_CONFLICT', {
            details: { reason: 'webhook_disabled', status: 'disabled', disabledReason: 'gone' },
          })
        : undefined;
    const { code, stderr } = await machine.run(`webhooks test ${url}`);
    expect(code).toBe(6);
    expect(stderr).toContain('Activate the endpoint with "centavo webhooks update WEBHOOK --status active".');
  });
});

describe('webhooks delete', () => {
  it('prompts for a confirmation on a terminal, and requires --yes without a terminal', async () => {
    const { id } = api.webhooks.add({ url });
    expect(await machine.run(`webhooks delete ${url}`)).toMatchObject({ code: 2 });
    const declined = await machine.run(`webhooks delete ${url}`, { answers: [false] });
    expect(declined).toMatchObject({ code: 2, questions: [expect.stringContaining(url)] });
    expect(api.writes).toEqual([]);
    expect(await machine.run(`webhooks delete ${url} --yes`)).toMatchObject({ code: 0, stdout: '' });
    expect(api.writes).toEqual([`DELETE /webhooks/${id}`]);
    expect(await machine.run(`webhooks delete ${url} --yes`)).toMatchObject({ code: 5 });
  });
});

describe('webhooks list and show', () => {
  it('never print a secret; the list shows the status with its reason', async () => {
    api.webhooks.add({ url, status: 'disabled', disabledReason: 'owner_lost_access' });
    const { stdout } = await machine.run('webhooks list');
    expect(stdout).toContain('disabled (owner lost access)');
    const { stdout: shown } = await machine.run(`webhooks show ${url} -o json`);
    expect(JSON.parse(shown)).toMatchObject({ url });
    expect(stdout + shown).not.toContain('whsec_');
  });

  it('"webhooks show" exits 2 and lists the ids if two endpoints have the given URL, and accepts an id', async () => {
    const [first, second] = [api.webhooks.add({ url }), api.webhooks.add({ url })];
    const { code, stderr } = await machine.run(`webhooks show ${url}`);
    expect(code).toBe(2);
    expect(stderr).toContain(String(first.id));
    expect(await machine.run(`webhooks show ${second.id}`)).toMatchObject({ code: 0 });
  });
});

describe('webhooks deliveries', () => {
  it('lists one page and prints the cursor of the next page, and lists all pages with --all', async () => {
    api.webhooks.add({ url });
    for (const lastStatus of [500, 502, 503]) api.webhooks.addDelivery({ status: 'failed', lastStatus });
    api.webhooks.addDelivery({ status: 'succeeded' });
    const { stdout, stderr } = await machine.run(`webhooks deliveries ${url} --status failed --limit 2`);
    expect(stdout.trim().split('\n')).toHaveLength(3);
    expect(stderr).toContain('--cursor 2');
    const all = await machine.run(`webhooks deliveries ${url} --status failed --limit 2 --all -o jsonl`);
    expect(
      all.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).lastStatus),
    ).toEqual([503, 502, 500]);
  });
});

describe('webhooks test, retry and replay', () => {
  it('send a test event, retry a delivery and replay a range of events', async () => {
    const { id } = api.webhooks.add({ url });
    const delivery = api.webhooks.addDelivery({ status: 'failed' });
    const tested = await machine.run(`webhooks test ${url} -o json`);
    expect(JSON.parse(tested.stdout)).toMatchObject({ type: 'webhook.test', sequence: null });
    await machine.run(`webhooks retry ${url} ${delivery.id}`);
    const replayed = await machine.run(
      `webhooks replay ${url} --from-sequence 3 --to-sequence 9 --only-failed -o json`,
    );
    expect(JSON.parse(replayed.stdout)).toEqual({ count: 2 });
    expect(api.requests.at(-1)?.body).toEqual({ fromSequence: 3, toSequence: 9, onlyFailed: true });
    expect(api.writes).toEqual([
      `POST /webhooks/${id}/test`,
      `POST /webhooks/${id}/deliveries/${delivery.id}/retry`,
      `POST /webhooks/${id}/replay`,
    ]);
  });
});

function requireStepUp({ url: { pathname }, body, headers }: Parameters<typeof api.fault>[0]) {
  const needsStepUp = pathname.endsWith('/rotate-secret') || 'url' in body;
  if (!needsStepUp || headers.get('authorization') === 'Bearer stepped-up') return undefined;
  return refusal(401, 'STEP_UP_REQUIRED', { details: { method: 'totp', maxAgeSeconds: 600 } });
}
