import stringWidth from 'string-width';
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

const lastMovementsQuery = () =>
  new URLSearchParams(api.requests.filter(({ path }) => path === '/movements').at(-1)?.query);

function addMovement(fields: Record<string, unknown>): void {
  api.movements.push({
    id: `0199c5a0-0000-7000-8000-${String(api.movements.length).padStart(12, '0')}`,
    trackerId: '0199c5a0-0000-7000-8000-000000000001',
    type: 'expense',
    kind: 'regular',
    amountDecimal: '1.00',
    currencyCode: 'EUR',
    accountId: '0199c5a0-0000-7000-8000-00000000000a',
    cashboxId: '0199c5a0-0000-7000-8000-00000000000b',
    categoryId: 'cat_food',
    occurredOn: '2026-01-15',
    description: null,
    merchantName: null,
    transferGroupId: null,
    source: { type: 'user', id: 'u' },
    version: 1,
    createdAt: '2026-01-15T00:00:00.000Z',
    updatedAt: '2026-01-15T00:00:00.000Z',
    ...fields,
  });
}

describe('movements summary', () => {
  beforeEach(() => {
    api.addCategory({ id: 'cat_food', name: 'Food 🍜' });
    api.addCategory({ id: 'cat_rent', name: 'Rent' });
    api.addCategory({ id: 'cat_pay', name: 'Salary' });
    addMovement({ amountDecimal: '900.00', categoryId: 'cat_rent', occurredOn: '2026-02-01' });
    addMovement({ amountDecimal: '299.90' });
    addMovement({ amountDecimal: '0.10', merchantName: 'Corner Shop' });
    addMovement({ amountDecimal: '2000.00', categoryId: 'cat_pay', type: 'income' });
  });

  it('draws a bar for each category, with totals, shares and a sparkline', async () => {
    const { code, stdout } = await machine.run('movements summary', { env: { LANG: 'C' } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'EUR  2026-01-15 to 2026-02-01',
        '',
        'Expenses',
        `Rent     ${'#'.repeat(30)}   900.00  75%`,
        `Food 🍜  ${'#'.repeat(10)}${' '.repeat(20)}   300.00  25%`,
        `Total    ${' '.repeat(30)}  1200.00`,
        '~________________#  by day, 2026-01-15 to 2026-02-01',
        '',
        'Incomes',
        `Salary  ${'#'.repeat(30)}  2000.00  100%`,
        `Total   ${' '.repeat(30)}  2000.00`,
        '#_________________  by day, 2026-01-15 to 2026-02-01',
        '',
        'Net 800.00 EUR of 4 movements',
        '',
      ].join('\n'),
    );
  });

  it('sends --month, --category and --type to the API as filters, and excludes transfers', async () => {
    const { stdout } = await machine.run('movements summary --by month --month 2026-02 --category Rent --type expense');
    expect(stdout).toMatch(/^EUR {2}2026-02-01 to 2026-02-28\n/);
    expect(Object.fromEntries(lastMovementsQuery())).toMatchObject({
      kind: 'regular',
      from: '2026-02-01',
      to: '2026-02-28',
      categoryIds: 'cat_rent',
      type: 'expense',
    });
  });

  it('draws a bar for every month with --by month, even for a month without movements', async () => {
    api.movements.length = 0;
    addMovement({ occurredOn: '2025-11-30' });
    addMovement({ occurredOn: '2026-02-01', amountDecimal: '3.00' });
    addMovement({ occurredOn: '2026-03-01', type: 'income' });
    const { stdout } = await machine.run('movements summary --by month');
    const [, expenses = '', incomes = ''] = stdout.split(/^(?:Expenses|Incomes)$/m);
    const figures = (section: string) =>
      [...section.matchAll(/^(\d{4}-\d{2}) .*?(\S+) +(\d+)%$/gm)].map(([, month, sum]) => `${month} ${sum}`);
    expect(figures(expenses)).toEqual(['2025-11 1.00', '2025-12 0.00', '2026-01 0.00', '2026-02 3.00', '2026-03 0.00']);
    expect(figures(incomes).at(-1)).toBe('2026-03 1.00');
    expect(figures(incomes)).toHaveLength(5);
  });

  it('prints the sums as records with -o json and -o csv', async () => {
    const { stdout } = await machine.run('movements summary --by category -o json');
    expect(JSON.parse(stdout)).toEqual([
      {
        by: 'category',
        key: 'cat_pay',
        name: 'Salary',
        currencyCode: 'EUR',
        expenseDecimal: '0.00',
        incomeDecimal: '2000.00',
        netDecimal: '2000.00',
        movementCount: 1,
      },
      expect.objectContaining({ key: 'cat_rent', expenseDecimal: '900.00', netDecimal: '-900.00' }),
      expect.objectContaining({ key: 'cat_food', name: 'Food 🍜', expenseDecimal: '300.00', movementCount: 2 }),
    ]);
    const csv = await machine.run('movements summary --by merchant -o csv');
    expect(csv.stdout.split('\r\n').slice(0, 2)).toEqual([
      'by,key,name,currencyCode,expenseDecimal,incomeDecimal,netDecimal,movementCount',
      'merchant,,,EUR,1199.90,2000.00,800.10,3',
    ]);
  });

  it('with --top, draws the largest groups; if two or more smaller groups remain, combines them in one bar', async () => {
    addMovement({ categoryId: 'cat_pay', amountDecimal: '1.00' });
    const { stdout } = await machine.run('movements summary --top 1');
    expect(stdout).toMatch(/Rent .* 900\.00 +75%\n2 others .* 301\.00 +25%\n/);
    const two = await machine.run('movements summary --top 2');
    expect(two.stdout).toMatch(/Food.* 300\.00 +25%\nSalary .* 1\.00 +<1%\nTotal/);
    expect(await machine.run('movements summary --top many')).toMatchObject({ code: 2, stdout: '' });
    expect(await machine.run('movements summary --by colour')).toMatchObject({ code: 2, stdout: '' });
  });

  it.each([40, 60, 80])(
    'fits a terminal of %d columns, and draws block characters in a UTF-8 locale',
    async (columns) => {
      const env = { LANG: 'es_ES.UTF-8', NO_COLOR: '1' };
      const { stdout } = await machine.run('movements summary', { isTerminal: true, columns, env });
      expect(stdout).toContain('█');
      for (const line of stdout.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    },
  );

  it('prints nothing to stdout if there are no movements, and an empty list with -o json', async () => {
    api.movements.length = 0;
    expect(await machine.run('movements summary')).toMatchObject({ code: 0, stdout: '' });
    expect((await machine.run('movements summary -o json')).stdout).toBe('[]\n');
  });

  it('prints progress to stderr on a terminal, but not with --quiet or on a dumb terminal', async () => {
    for (let count = 0; count < 450; count += 1) addMovement({});
    const { stdout, stderr } = await machine.run('movements summary -o json', { isTerminal: true });
    expect(stderr).toMatch(/\[#+-*\] {2}\d+\/454/);
    expect(JSON.parse(stdout)).toHaveLength(3);
    expect((await machine.run('movements summary -o json --quiet', { isTerminal: true })).stderr).toBe('');
    const dumb = { isTerminal: true, env: { TERM: 'dumb' } };
    expect((await machine.run('movements summary -o json', dumb)).stderr).toBe('');
  });
});

describe('movements summary with sums from the server', () => {
  const queries = () =>
    api.requests
      .filter(({ path }) => path.startsWith('/movements'))
      .map(({ path, query }) => ({ path, ...Object.fromEntries(new URLSearchParams(query)) }));

  beforeEach(() => {
    api.hasSummary = true;
    addMovement({ amountDecimal: '900.00', occurredOn: '2025-11-01', merchantName: 'Rent' });
    addMovement({ amountDecimal: '1.00', occurredOn: '2026-01-31', merchantName: 'Mercadona' });
    addMovement({ amountDecimal: '2.00', occurredOn: '2026-02-01', merchantName: 'MERCADONA' });
    addMovement({ amountDecimal: '7.00', occurredOn: '2026-02-01', kind: 'transfer' });
  });

  it('prints the sums as records, and requests no movements', async () => {
    const { stdout } = await machine.run('movements summary --by merchant --type expense --from 2025-01-01 -o json');
    expect(JSON.parse(stdout)).toMatchObject([
      { by: 'merchant', key: 'Rent', expenseDecimal: '900.00', netDecimal: '-900.00', movementCount: 1 },
      { key: 'Mercadona', expenseDecimal: '3.00', movementCount: 2 },
    ]);
    expect(queries()).toEqual([
      { path: '/movements/summary', groupBy: 'merchant', type: 'expense', from: '2025-01-01', limit: '1000' },
    ]);
  });

  it('draws the sums and a sparkline; the sparkline is by month if more than two months have movements', async () => {
    const { stdout } = await machine.run('movements summary --by merchant', { env: { LANG: 'C' } });
    expect(stdout).toContain('EUR  2025-11 to 2026-02\n');
    expect(stdout).toMatch(/^Rent .* 900\.00 +99%$/m);
    expect(stdout).toContain('#_..  by month, 2025-11 to 2026-02\n');
    expect(stdout).toContain('Net -903.00 EUR of 3 movements');
    expect(queries().map(({ path }) => path)).toEqual(['/movements/summary', '/movements/summary']);
  });

  it('draws a sparkline by day if at most two months have movements', async () => {
    const { stdout } = await machine.run('movements summary --from 2026-01-01', { env: { LANG: 'C' } });
    expect(stdout).toContain('by day, 2026-01-31 to 2026-02-01\n');
  });

  it('prints all 1,002 groups, although one response contains at most 1,000 sums', async () => {
    for (let index = 0; index < 1_000; index += 1) addMovement({ merchantName: `Shop ${index}` });
    const { stdout } = await machine.run('movements summary --by merchant -o json');
    expect(JSON.parse(stdout)).toHaveLength(1_002);
  });

  it('prints the sum and the name of each account with --by account', async () => {
    const account = api.addAccount({ name: 'Checking' });
    addMovement({ accountId: account.id, amountDecimal: '5.00' });
    const { stdout } = await machine.run('movements summary --by account -o json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ by: 'account', key: account.id, name: 'Checking', expenseDecimal: '5.00' }),
    );
  });
});

describe('movements export', () => {
  it('prints the movements of all pages as CSV with account names; the help lists the first columns', async () => {
    const account = api.addAccount({ name: 'Checking' });
    api.addCategory({ id: 'cat_food', name: 'Food' });
    for (let count = 0; count < 450; count += 1) addMovement({ accountId: account.id });
    const { code, stdout, stderr } = await machine.run('movements export --from 2026-01-01');
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\r\n');
    expect(lines).toHaveLength(451);
    expect(lines[0]).toBe(
      'id,occurredOn,type,kind,amountDecimal,currencyCode,accountId,accountName,cashboxId,categoryId,categoryName,' +
        'merchantName,description,transferGroupId,sourceType,sourceId,version,createdAt,updatedAt',
    );
    expect(lines[1]).toContain(`2026-01-15,expense,regular,1.00,EUR,${account.id},Checking,`);
    expect((await machine.run('movements export --help')).stdout).toContain(
      lines[0]?.replaceAll(',', ', ').slice(0, 60),
    );
  });

  it('prints nothing if the request for the first page fails, and only the CSV header if there are no movements', async () => {
    expect((await machine.run('movements export -o csv')).stdout).toMatch(/^id,occurredOn,[^\n]*\r\n$/);
    api.fault = ({ url }) => (url.pathname.endsWith('/movements') ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined);
    expect(await machine.run('movements export -o csv')).toMatchObject({ code: 4, stdout: '' });
  });

  it('escapes formulas in CSV, but not in jsonl', async () => {
    addMovement({ description: '=HYPERLINK("http://evil","x")', merchantName: '-2+3' });
    addMovement({ description: '@SUM(1)', merchantName: '+34 600' });
    const { stdout } = await machine.run('movements export');
    for (const guarded of [`"'=HYPERLINK(""http://evil"",""x"")"`, `,'-2+3,`, `,'@SUM(1),`, `,'+34 600,`]) {
      expect(stdout).toContain(guarded);
    }
    const [record] = (await machine.run('movements export -o jsonl')).stdout.split('\n');
    expect(JSON.parse(record ?? '')).toEqual(api.movements[0]);
  });

  it('prints the movements as the API returned them with -o json and -o jsonl', async () => {
    for (let count = 0; count < 3; count += 1) addMovement({});
    expect(JSON.parse((await machine.run('movements export -o json')).stdout)).toEqual(api.movements);
    expect((await machine.run('movements export -o jsonl')).stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(await machine.run('movements export -o table')).toMatchObject({ code: 2, stdout: '' });
  });

  it('prints the rows of the earlier pages, then exits 4, if the server refuses a later page', async () => {
    for (let count = 0; count < 450; count += 1) addMovement({});
    api.fault = ({ url }) =>
      url.searchParams.get('cursor') === '400' ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined;
    const { code, stdout } = await machine.run('movements export -o jsonl');
    expect(code).toBe(4);
    expect(stdout.trimEnd().split('\n')).toHaveLength(400);
  });
});

describe('movements list', () => {
  it('sends type, kind, category, account, cashbox and period to the API as filters, and replaces names with ids', async () => {
    const account = api.addAccount({ name: 'Checking' });
    api.records.addCashbox({ id: '0199c5a0-0000-7000-8000-0000000000cb', accountId: account.id, name: 'Jar' });
    api.addCategory({ id: 'cat_a', name: 'A' });
    api.addCategory({ id: 'cat_b', name: 'B' });
    addMovement({ accountId: account.id, cashboxId: '0199c5a0-0000-7000-8000-0000000000cb', categoryId: 'cat_a' });
    const { code, stderr } = await machine.run(
      'movements list --type expense --kind regular --category a --category cat_b --account checking --cashbox jar ' +
        '--from 2026-01-01 --to 2026-01-31 --limit 10 --offset 0 --include-total -o json',
    );
    expect(code).toBe(0);
    expect(stderr).toContain('1 of 1.');
    expect(Object.fromEntries(lastMovementsQuery())).toEqual({
      type: 'expense',
      kind: 'regular',
      categoryIds: 'cat_a,cat_b',
      accountId: account.id,
      cashboxId: '0199c5a0-0000-7000-8000-0000000000cb',
      from: '2026-01-01',
      to: '2026-01-31',
      limit: '10',
      offset: '0',
      includeTotal: 'true',
    });
  });

  it('sends the first and last day of --month as the period, and exits 2 if the month is invalid or --to is also set', async () => {
    await machine.run('movements list --month 2028-02');
    expect(Object.fromEntries(lastMovementsQuery())).toMatchObject({ from: '2028-02-01', to: '2028-02-29' });
    for (const wrong of ['--month 2026-13', '--month may', '--month 2026-05 --to 2026-06-01']) {
      expect(await machine.run(`movements list ${wrong}`)).toMatchObject({ code: 2, stdout: '' });
    }
  });

  it('marks a leg of a transfer with "(transfer)"', async () => {
    addMovement({ kind: 'transfer', categoryId: null });
    expect((await machine.run('movements list')).stdout).toContain('(transfer)');
  });
});
