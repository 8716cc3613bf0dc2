import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;
let movementId: string;
let groupId: string;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
  api.addAccount({ name: 'Checking' });
  api.addAccount({ name: 'Savings' });
  await machine.run('movements add --type expense --amount 12.50 --account Checking --external-id FIT-1');
  await machine.run('transfers add --amount 5 --from-account Checking --to-account Savings');
  movementId = String(api.movements[0]?.id);
  groupId = String(api.records.transfers[0]?.groupId);
  api.requests.length = 0;
});
afterEach(() => api.reset());

describe.each([
  ['movement', () => `movements void ${movementId}`, () => `/movements/${movementId}`, 'Void the expense of 12.50 USD'],
  ['transfer', () => `transfers void ${groupId}`, () => `/transfers/${groupId}`, 'Void the transfer of 5 USD'],
] as const)('%ss void', (_, command, path, question) => {
  const voidedAt = () => [api.movements[0], api.records.transfers[0]].map((record) => record?.voidedAt ?? null);

  it('reads the ETag of the record, sends the ETag and the idempotency key, and prints the record as voided', async () => {
    const { code, stdout } = await machine.run(`${command()} --yes --idempotency-key my-key`);
    expect([code, api.writes]).toEqual([0, [`POST ${path()}/void`]]);
    expect(stdout).toContain('(voided)');
    const sent = api.requests.find(({ method }) => method === 'POST')?.headers;
    expect([sent?.get('idempotency-key'), sent?.get('if-match')]).toEqual(['my-key', '"1"']);
  });

  it('shows the record, and does not void it without a confirmation', async () => {
    const refused = await machine.run(command());
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(question);
    await machine.run(command(), { answers: [false] });
    expect(api.writes).toEqual([]);
    expect(voidedAt()).toEqual([null, null]);
    expect(await machine.run(command(), { answers: [true] })).toMatchObject({ code: 0 });
    expect(voidedAt()).toContain('2026-01-01T00:00:00.000Z');
  });

  it('sends only a dry run with --preview, and no write with --dry-run', async () => {
    expect(await machine.run(`${command()} --preview`)).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)).toMatchObject({ path: `${path()}/void`, query: '?dryRun=true' });
    expect(await machine.run(`${command()} --dry-run -o json`)).toMatchObject({ code: 0 });
    expect(api.writes).toEqual([]);
  });
});

it('"movements list" filters by --external-id, and lists voided movements with --include-voided', async () => {
  expect(api.movements[0]).toMatchObject({ externalId: 'FIT-1' });
  await machine.run('movements list --external-id FIT-1 --include-voided');
  const [list] = api.requests.filter(({ path }) => path === '/movements');
  expect(Object.fromEntries(new URLSearchParams(list?.query))).toEqual({ externalId: 'FIT-1', includeVoided: 'true' });
  await machine.run(`movements void ${movementId} --yes`);
  expect((await machine.run('movements list --include-voided')).stdout).toMatch(/expense \(voided\).*12\.50/);
});

it('"balances --as-of" prints the balances on the given date', async () => {
  api.records.addBalance({
    accountName: 'Checking',
    cashboxName: 'Main',
    balanceDecimal: '7.00',
    asOfDate: '2026-01-31',
  });
  const { code, stdout } = await machine.run('balances --as-of 2026-01-31 -o json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([{ balanceDecimal: '7.00', asOfDate: '2026-01-31' }]);
  expect(api.requests.at(-1)).toMatchObject({ path: '/balances', query: '?asOf=2026-01-31' });
});
