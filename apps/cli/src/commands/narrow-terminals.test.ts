import stringWidth from 'string-width';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeApi, tracker } from '../../test-support/fake-api.js';
import { createMachine, type TestMachine } from '../../test-support/run-in-test.js';

const api = new FakeApi();
let machine: TestMachine;

beforeAll(() => api.server.listen({ onUnhandledRequest: 'error' }));
afterAll(() => api.server.close());
beforeEach(async () => {
  machine = await createMachine();
  const account = api.addAccount({ name: 'Tarjeta de crédito del trabajo 💳', type: 'credit_card' });
  api.records.addCashbox({ accountId: account.id, name: '旅行のための貯金箱と予備のお金' });
  api.records.addBalance({
    accountName: account.name,
    cashboxName: '旅行のための貯金箱と予備のお金',
    balanceDecimal: '-1234567.89',
  });
  api.addCategory({ id: 'cat_a', name: 'Everything that is eaten at home' });
  api.addCategory({ id: 'cat_0199c5a000007000800000000001', name: '👨‍👩‍👧‍👦 Family and friends', parentId: 'cat_a' });
  api.trackers.push(tracker({ id: 'x', name: 'A tracker of a long name', timeZone: 'America/Argentina/Buenos_Aires' }));
  api.records.addMember({ email: 'member.with.a.long.address@example.com', displayName: 'Member' });
  api.records.addKey({ name: 'import of every night', scopes: ['movements:read', 'movements:write'] });
  api.records.addClient({ name: 'the assistant', access: { mode: 'selected', trackerIds: ['a', 'b'] } });
  api.records.addBudget({ name: 'All of the year, in one budget' });
  await machine.run('movements add --type expense --amount 98765.43 --account Tarjeta'.split(' '));
  await machine.run([
    ...['movements', 'add', '--type', 'income', '--amount', '98765.43', '--account', String(account.id)],
    ...[
      '--category',
      'cat_a',
      '--merchant-name',
      'スーパーマーケット',
      '--description',
      'two weeks 🍜🍣 and more of it',
    ],
  ]);
});
afterEach(() => api.reset());

const lists = [
  ['movements list', '98765.43'],
  ['accounts list', 'Tarjeta'],
  ['cashboxes list credit', '旅行'],
  ['balances', '-1234567.89'],
  ['categories list', 'Every'],
  ['trackers list', 'A track'],
  ['members list', 'membe'],
  ['keys list', 'import'],
  ['clients list', 'the as'],
  ['budgets list', 'All of'],
] as const;

describe.each(lists)('%s', (command, shown) => {
  const args = command.replace('credit', 'Tarjeta de crédito del trabajo 💳').split(/ (?=list)|(?<=list) /);

  it.each([40, 60, 80, 120])('fits a terminal of %d columns, and reports an omitted ID column', async (columns) => {
    const { code, stdout, stderr } = await machine.run(args, { isTerminal: true, columns, env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    expect(stdout).toContain(shown);
    for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    const hasIds = /[0-9a-f]{8}-[0-9a-f]{4}-/.test(stdout);
    if (!hasIds && command !== 'balances' && columns < 80) expect(stderr).toContain('ID; -o json has all fields');
  });

  it('prints no truncated or coloured text to a pipe', async () => {
    const { stdout, stderr } = await machine.run(args);
    for (const mark of ['…', '~', '\u001b']) expect(stdout).not.toContain(mark);
    expect(stderr).toBe('');
  });

  it.each([
    [[], { NO_COLOR: '1' }],
    [['--no-color'], {}],
    [[], { TERM: 'dumb' }],
  ])('prints no escape sequence on a terminal with the flags %j and the environment %j', async (flags, env) => {
    const { stdout } = await machine.run([...args, ...flags], { isTerminal: true, env });
    expect(stdout).not.toContain('\u001b');
  });
});

it('"balances" marks truncated cells with characters that the locale supports', async () => {
  const run = async (env: Record<string, string>) =>
    (await machine.run('balances', { isTerminal: true, columns: 50, env: { NO_COLOR: '1', ...env } })).stdout;
  expect(await run({ LANG: 'es_ES.UTF-8' })).toContain('…');
  expect(await run({ LANG: 'es_ES.UTF-8', LC_ALL: 'C' })).not.toContain('…');
});
