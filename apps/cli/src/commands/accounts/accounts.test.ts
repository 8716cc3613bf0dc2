import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, refusal, tracker, trackerId } from '../../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
});
afterEach(() => api.reset());

describe('a new record with the name of an existing record', () => {
  it('is refused with exit code 6 and a message with the id of the existing record, even if the names differ in case', async () => {
    const first = api.addAccount({ name: 'Checking' });
    const { code, stdout, stderr } = await machine.run('accounts create checking');
    expect([code, stdout]).toEqual([6, '']);
    expect(stderr).toContain(String(first.id));
    expect(stderr).toContain('--yes');
    expect(api.writes).toEqual([]);
  });

  it('is created with --yes or after a confirmation', async () => {
    api.addAccount({ name: 'Checking' });
    expect(await machine.run('accounts create Checking --yes')).toMatchObject({ code: 0 });
    expect(await machine.run('accounts create Checking', { answers: [false] })).toMatchObject({ code: 2 });
    expect(await machine.run('accounts create Checking', { answers: [true] })).toMatchObject({ code: 0 });
    expect(api.writes).toHaveLength(2);
  });

  it('causes only a warning with --dry-run, and is created without --yes if the existing record is archived', async () => {
    const first = api.addAccount({ name: 'Checking' });
    const dry = await machine.run('accounts create Checking --dry-run --quiet');
    expect(dry.code).toBe(0);
    expect(dry.stderr).toContain('--yes');
    Object.assign(first, { status: 'archived' });
    expect(await machine.run('accounts create Checking')).toMatchObject({ code: 0 });
  });

  it('is refused with exit code 6 if both records are trackers, or cashboxes of one account', async () => {
    expect(await machine.run('trackers create household --currency EUR')).toMatchObject({ code: 6 });
    const account = api.addAccount({ name: 'Checking' });
    api.records.addCashbox({ accountId: account.id, name: 'Jar' });
    expect(await machine.run('cashboxes create Checking jar')).toMatchObject({ code: 6 });
    expect(await machine.run('cashboxes create Checking Box --opening-balance -5')).toMatchObject({ code: 0 });
    expect(api.requests.at(-1)?.body).toEqual({ name: 'Box', openingBalanceDecimal: '-5' });
  });
});

it('"accounts create" creates cashboxes with their opening balances', async () => {
  await machine.run(['accounts', 'create', 'Savings', '--cashbox', 'Holidays=-1.50', '--cashbox', 'A=B']);
  expect(api.requests.at(-1)?.body.cashboxes).toEqual([
    { name: 'Holidays', openingBalanceDecimal: '-1.50' },
    { name: 'A=B' },
  ]);
});

it('the update commands of accounts, cashboxes and trackers find a record by name, and exit 2 if the user changes no field', async () => {
  const account = api.addAccount({ name: 'Checking' });
  const cashbox = api.records.addCashbox({ accountId: account.id, name: 'Jar' });
  api.records.addBalance({
    cashboxId: cashbox.id,
    cashboxName: 'Jar',
    accountName: 'Checking',
    balanceDecimal: '0.00',
  });
  const archiving = await machine.run('accounts update checking --name Joint --status archived');
  expect(archiving.code).toBe(0);
  expect(archiving.stderr).toContain(`centavo accounts update ${account.id} --status active`);
  expect(account).toMatchObject({ name: 'Joint', status: 'archived' });
  expect(await machine.run('cashboxes update jar --name Box')).toMatchObject({ code: 0 });
  expect(await machine.run('cashboxes update box --account Joint --status archived')).toMatchObject({ code: 0 });
  expect(cashbox).toMatchObject({ name: 'Box', status: 'archived' });
  expect(await machine.run('trackers update household --time-zone UTC --dry-run')).toMatchObject({ code: 0 });
  for (const line of ['accounts update Joint', 'cashboxes update Box', 'trackers update Household']) {
    expect(await machine.run(line)).toMatchObject({ code: 2, stdout: '' });
  }
});

it('"trackers set-default" and "trackers set-active" accept the name of a tracker', async () => {
  const cabin = tracker({ id: '0199c5a0-0000-7000-8000-000000000002', name: 'Cabin' });
  api.trackers.push(cabin);
  await machine.run('trackers set-default cabin');
  await machine.run('trackers set-active Household');
  expect(api.writes).toEqual(['PUT /context/default-tracker', 'PUT /context/active-tracker']);
  expect(api.requests.at(-1)?.body).toEqual({ trackerId });
});

it('"movements list --cashbox" rejects a name that several cashboxes have, and accepts ACCOUNT/CASHBOX, such as Savings/Jar', async () => {
  const jars = ['Checking', 'Savings'].map((accountName) =>
    api.records.addBalance({ accountName, cashboxName: 'Jar', balanceDecimal: '1.00' }),
  );
  const { code, stderr } = await machine.run('movements list --cashbox jar');
  expect(code).toBe(2);
  expect(stderr).toContain(`Jar  in Savings  ${jars[1]?.cashboxId}`);
  await machine.run('movements list --cashbox Savings/Jar');
  expect(api.requests.at(-1)?.query).toContain(String(jars[1]?.cashboxId));
});

it('"categories show" accepts a name, and prints the name of the parent category', async () => {
  api.addCategory({ id: 'cat_home', name: 'Home' });
  api.addCategory({ id: 'cat_rent', name: 'Rent', parentId: 'cat_home' });
  expect((await machine.run('categories show rent')).stdout).toMatch(/PARENT +Home/);
  expect((await machine.run('categories list')).stdout).toMatch(/Rent +any +tracker +active +Home +cat_rent/);
  expect(JSON.parse((await machine.run('categories show cat_rent -o json')).stdout).parentId).toBe('cat_home');
});

it.each([
  ['accounts', []],
  ['trackers', ['--currency', 'EUR']],
])(
  '"%s create" exits 2 if the API rejects a character of the name, and does not suggest --yes',
  async (noun, flags) => {
    api.addAccount({ name: 'Household' });
    const issues = [{ path: 'name', code: 'INVALID', message: 'Remove U+200B.' }];
    api.fault = ({ body }) =>
      String(body.name).includes('\u200b') ? refusal(400, 'VALIDATION_ERROR', { details: { issues } }) : undefined;
    const { code, stderr } = await machine.run([noun, 'create', 'House\u200bhold', ...flags]);
    expect(code).toBe(2);
    expect(stderr).toContain('<name>: Remove U+200B.');
    expect(stderr).not.toContain('--yes');
    expect((await machine.run([noun, 'create', 'household', ...flags])).code).toBe(6);
  },
);
