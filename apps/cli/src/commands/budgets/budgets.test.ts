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
  api.addCategory({ id: 'cat_food', name: 'Groceries', kind: 'expense' });
  api.addCategory({ id: 'cat_out', name: 'Eating out', kind: 'expense' });
  api.addCategory({ id: 'cat_pay', name: 'Salary', kind: 'income' });
});
afterEach(() => api.reset());

/** The remaining amount of a budget line, by its actual amount. */
const remainders: Readonly<Record<string, string>> = { '100.00': '300.00', '260.00': '-60.00', '2100.00': '-100.00' };

const line = (categoryId: string, plannedDecimal: string, actualDecimal: string | null, type = 'expense') => ({
  id: `line-${categoryId}`,
  budgetId: 'budget-1',
  categoryId,
  type,
  plannedDecimal,
  actualDecimal,
  remainingDecimal: actualDecimal === null ? null : (remainders[actualDecimal] ?? null),
  note: null,
  createdAt: '2026-01-01T00:00:00.000Z',
});

const totals = (plannedDecimal: string, actualDecimal: string | null, unplannedDecimal: string | null = '0.00') => ({
  plannedDecimal,
  actualDecimal,
  remainingDecimal: null,
  unplannedDecimal,
});

function addBudget(fields: Record<string, unknown> = {}) {
  return api.records.addBudget({
    name: 'January',
    lines: [
      line('cat_food', '400.00', '100.00'),
      line('cat_out', '200.00', '260.00'),
      line('cat_pay', '2000.00', '2100.00', 'income'),
    ],
    summary: { expense: totals('600.00', '360.00', '45.00'), income: totals('2000.00', '2100.00') },
    ...fields,
  });
}

describe('budgets show', () => {
  it('draws planned, actual and unplanned amounts, and marks overspending even without colour', async () => {
    addBudget();
    const { code, stdout } = await machine.run('budgets show January', { env: { LC_ALL: 'C' } });
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'January',
        '2026-01-01 to 2026-01-31, USD',
        'tracking, active, day 10 of 31',
        '',
        'Expenses',
        `  Groceries    ${'#'.repeat(7)}${'.'.repeat(23)}  100.00  of 400.00   25%  300.00 left`,
        `! Eating out   ${'#'.repeat(23)}${'!'.repeat(7)}  260.00  of 200.00  130%  60.00 over`,
        `  (unplanned)  ${' '.repeat(30)}   45.00                   not in any line`,
        `  Total        ${'#'.repeat(20)}${'.'.repeat(10)}  405.00  of 600.00   68%  195.00 left, over pace`,
        '',
        'Incomes',
        `Salary  ${'#'.repeat(30)}  2100.00  of 2000.00  105%  100.00 more`,
        `Total   ${'#'.repeat(30)}  2100.00  of 2000.00  105%  100.00 more`,
        '',
      ].join('\n'),
    );
  });

  it.each([40, 60, 80, 100])('fits a terminal of %d columns', async (columns) => {
    addBudget();
    const env = { LANG: 'es_ES.UTF-8', NO_COLOR: '1' };
    const { stdout } = await machine.run('budgets show January', { isTerminal: true, columns, env });
    expect(stdout).toContain('░');
    expect(stdout).toMatch(/! Eating out.*60\.00 over/s);
    for (const text of stdout.split('\n')) expect(stringWidth(text)).toBeLessThanOrEqual(columns);
  });

  it('prints a row for each budget line with -o csv, and the whole budget with -o jsonl', async () => {
    const budget = addBudget();
    const { code, stdout } = await machine.run('budgets show January -o csv');
    expect(code).toBe(0);
    expect(stdout.split('\r\n')).toEqual([
      'category,type,planned,actual,remaining,currencyCode,status',
      'Groceries,expense,400.00,100.00,300.00,USD,300.00 left',
      'Eating out,expense,200.00,260.00,-60.00,USD,60.00 over',
      'Salary,income,2000.00,2100.00,-100.00,USD,100.00 more',
      '',
    ]);
    expect(JSON.parse((await machine.run('budgets show January -o jsonl')).stdout)).toEqual(
      JSON.parse(JSON.stringify(budget)),
    );
  });

  it('draws only the planned amounts of a budget in planning mode', async () => {
    addBudget({
      mode: 'planning',
      lines: [line('cat_food', '400.00', null), line('cat_out', '200.00', null)],
      summary: { expense: totals('600.00', null, null), income: totals('0.00', null, null) },
    });
    const { stdout } = await machine.run('budgets show January');
    expect(stdout).toContain(`Groceries   ${'#'.repeat(30)}  400.00\nEating out  ${'#'.repeat(15)} `);
    expect(stdout).not.toContain('Incomes');
  });

  it('prints the budget as the API returned it with -o json and -o jsonl', async () => {
    const budget = addBudget();
    expect(JSON.parse((await machine.run('budgets show January -o json')).stdout)).toEqual(budget);
    expect(JSON.parse((await machine.run(`budgets show ${budget.id} -o jsonl`)).stdout)).toEqual(budget);
  });

  it('finds a budget by its month; if several budgets have the given name, exits 2 and lists these budgets', async () => {
    const january = addBudget({ name: 'Home' });
    addBudget({ name: 'Home', periodStart: '2026-02-01', periodEnd: '2026-02-28' });
    expect(JSON.parse((await machine.run('budgets show 2026-01 -o json')).stdout).id).toBe(january.id);
    const { code, stdout, stderr } = await machine.run('budgets show home');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`Home  2026-01-01 to 2026-01-31, active  ${january.id}`);
    expect(stderr).toContain('2026-02-01 to 2026-02-28');
    expect(await machine.run('budgets show 2026-07')).toMatchObject({ code: 5, stdout: '' });
  });
});

describe('budgets list', () => {
  it('sends --mode and --status to the API as filters', async () => {
    addBudget();
    addBudget({ name: 'Plans', mode: 'planning' });
    expect((await machine.run('budgets list --mode planning --status active')).stdout).toMatch(/^NAME .*\nPlans /);
    expect(api.requests.at(-1)?.query).toBe('?mode=planning&status=active');
  });
});

describe('budgets create', () => {
  const create = (...args: readonly string[]) => machine.run(['budgets', 'create', ...args]);

  it('creates a budget from a month and from lines that name categories', async () => {
    const run = await create('January', '--month', '2026-01', '--line', 'groceries=400', '--line', 'Salary = 2000');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('Groceries');
    expect(api.requests.find(({ method }) => method === 'POST')?.body).toEqual({
      name: 'January',
      mode: 'tracking',
      periodStart: '2026-01-01',
      periodEnd: '2026-01-31',
      lines: [
        { categoryId: 'cat_food', plannedDecimal: '400' },
        { categoryId: 'cat_pay', plannedDecimal: '2000', type: 'income' },
      ],
    });
  });

  it('sends the key of --idempotency-key, and creates nothing with --dry-run', async () => {
    await create('January', '--month', '2026-01', '--idempotency-key', 'my-key');
    expect(api.requests.at(0)?.headers.get('idempotency-key')).toBe('my-key');
    const dry = await create('February', '--month', '2026-02', '--line', 'cat_x=1:income', '--dry-run', '-o', 'json');
    expect(JSON.parse(dry.stdout)).toMatchObject({
      dryRun: true,
      call: 'budgets.create',
      body: { periodEnd: '2026-02-28', lines: [{ categoryId: 'cat_x', plannedDecimal: '1', type: 'income' }] },
    });
    expect(api.writes).toEqual(['POST /budgets']);
  });

  describe('with the name and the period of an existing budget', () => {
    beforeEach(() => create('January', '--month', '2026-01', '--line', 'Groceries=400'));
    const again = (...flags: string[]) => create('january', '--month', '2026-01', '--line', 'Groceries=400', ...flags);

    it('exits 6 without a terminal, and asks for a confirmation on a terminal', async () => {
      expect(await again()).toMatchObject({
        code: 6,
        stderr: expect.stringMatching(/The budget "January" exists already \(\S+\)[\s\S]*--yes/),
      });
      const args = ['budgets', 'create', 'January', '--month', '2026-01'];
      const asked = await machine.run(args, { answers: [false] });
      expect(asked).toMatchObject({ code: 2, questions: [expect.stringContaining('Create another one?')] });
      expect(api.records.budgets).toHaveLength(1);
    });

    it.each([
      ['with --yes', ['--yes']],
      ['with a chosen idempotency key', ['--idempotency-key', 'another']],
    ])('creates a second budget %s', async (_, flags) => {
      expect(await again(...flags)).toMatchObject({ code: 0 });
      expect(api.records.budgets).toHaveLength(2);
    });

    it('creates the budget without a confirmation if the API key may not list budgets', async () => {
      const isList = ({ url, headers }: { url: URL; headers: Headers }) =>
        url.pathname.endsWith('/budgets') && !headers.has('idempotency-key');
      api.fault = (request) => (isList(request) ? refusal(403, 'INSUFFICIENT_SCOPE') : undefined);
      expect(await again()).toMatchObject({ code: 0 });
    });
  });

  it('needs no confirmation if an existing budget has the same name but another period', async () => {
    await create('Home', '--month', '2026-01');
    expect(await create('Home', '--month', '2026-02')).toMatchObject({ code: 0 });
    expect(api.records.budgets).toHaveLength(2);
  });

  it('reads a budget with category names as JSON from stdin, replaces its name with the <name> argument, and adds the lines of --line', async () => {
    const plan = {
      name: 'From file',
      mode: 'planning',
      periodStart: '2026-01-01',
      periodEnd: '2026-03-31',
      lines: [{ categoryId: 'Groceries', plannedDecimal: '10', note: 'n' }],
    };
    const args = ['budgets', 'create', 'Mine', '--from-file', '-', '--line', 'Eating out=5', '--dry-run', '-o', 'json'];
    const { stdout } = await machine.run(args, { stdin: JSON.stringify(plan) });
    expect(JSON.parse(stdout).body).toEqual({
      ...plan,
      name: 'Mine',
      lines: [
        { categoryId: 'cat_food', plannedDecimal: '10', note: 'n' },
        { categoryId: 'cat_out', plannedDecimal: '5' },
      ],
    });
  });

  it.each([
    ['no name', ['--month', '2026-01']],
    ['no period', ['January']],
    ['a line without an amount', ['January', '--month', '2026-01', '--line', 'Groceries']],
    ['an unknown line type', ['January', '--month', '2026-01', '--line', 'Groceries=1:outgo']],
    ['two periods', ['January', '--month', '2026-01', '--period-end', '2026-02-01']],
    ['input that is not JSON', ['January', '--from-file', '-']],
    ['a file that does not exist', ['January', '--from-file', '/does/not/exist.json']],
  ])('exits 2 and sends no write when given %s', async (_, args) => {
    expect(await create(...args)).toMatchObject({ code: 2, stdout: '' });
    expect(api.writes).toEqual([]);
  });

  it('exits 5 for an unknown category', async () => {
    expect(await create('January', '--month', '2026-01', '--line', 'Nope=1')).toMatchObject({ code: 5 });
  });
});

it('budgets add-line finds the budget and the category by name, and shows their ids in a dry run', async () => {
  const budget = addBudget();
  const add = 'budgets add-line january --category salary --planned 10 --type income --note Bonus';
  const dry = JSON.parse((await machine.run(`${add} --dry-run -o json`)).stdout);
  const body = { categoryId: 'cat_pay', plannedDecimal: '10', type: 'income', note: 'Bonus' };
  expect(dry).toMatchObject({ call: 'budgets.addLine', pathParameters: { budgetId: budget.id }, body });
  expect(await machine.run(`${add} -o json`)).toMatchObject({ code: 0 });
  expect(api.requests.at(-1)).toMatchObject({ path: `/budgets/${budget.id}/lines`, body });
  expect((await machine.run(add)).stdout).toMatch(/CATEGORY +Salary/);
});
