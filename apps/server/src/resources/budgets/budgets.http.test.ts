import { randomUUID } from 'node:crypto';
import { addDays } from '@centavo/contracts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer, type TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: { id: string; accountId: string; cashboxId: string };
let client: pg.Client;
let food: string;
let rent: string;
let salary: string;
const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date());

beforeAll(async () => {
  server = await startTestServer();
  user = await server.newUser();
  tracker = await server.newTracker(user);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  const category = async (name: string, kind: string) => {
    const { data } = await server.call('createCategory', { token: user.token, body: { name, kind } });
    return data.id;
  };
  food = await category('Food', 'expense');
  rent = await category('Rent', 'expense');
  salary = await category('Salary', 'income');
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function create(fields: Record<string, unknown> = {}, options: { key?: string } = {}) {
  return server.call('createBudget', {
    token: user.token,
    body: {
      name: 'Month',
      mode: 'tracking',
      periodStart: addDays(today, -9),
      periodEnd: addDays(today, 10),
      ...fields,
    },
    ...(options.key === undefined ? {} : { idempotencyKey: options.key }),
  });
}

function addLine(budgetId: string, body: Record<string, unknown>, key?: string) {
  return server.call('addBudgetLine', {
    token: user.token,
    params: { budgetId },
    body,
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
}

function record(fields: Record<string, unknown>) {
  return server.call('createMovement', { token: user.token, body: { accountId: tracker.accountId, ...fields } });
}

describe('201', () => {
  it('makes a budget in the currency of the tracker, with the lines that came along', async () => {
    const { status, data, headers } = await create({
      lines: [
        { categoryId: food, plannedDecimal: '200', note: 'Less\nthan before' },
        { categoryId: salary, plannedDecimal: '1500.5', type: 'income' },
      ],
    });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/budgets/${data.id}`);
    expect(data).toMatchObject({ trackerId: tracker.id, currencyCode: 'EUR', status: 'active', lineCount: 2 });
    expect(data.lines).toMatchObject([
      { budgetId: data.id, categoryId: food, type: 'expense', plannedDecimal: '200.00', note: 'Less\nthan before' },
      { budgetId: data.id, categoryId: salary, type: 'income', plannedDecimal: '1500.50', note: null },
    ]);
    const fetched = await server.call('getBudget', { token: user.token, params: { budgetId: data.id } });
    expect(fetched.data).toEqual(data);
  });

  it('adds a line, which finds the budget in its Location', async () => {
    const { data: budget } = await create();
    const { status, data, headers } = await addLine(budget.id, { categoryId: rent, plannedDecimal: '0' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`/v1/financial/budgets/${budget.id}`);
    expect(data).toMatchObject({
      budgetId: budget.id,
      type: 'expense',
      plannedDecimal: '0.00',
      remainingDecimal: '0.00',
    });
    const { data: after } = await server.call('getBudget', { token: user.token, params: { budgetId: budget.id } });
    expect(after.lineCount).toBe(1);
  });

  it('adds a line, which is a change of the budget', async () => {
    const { data: budget } = await create();
    await client.query(`update app.budgets set updated_at = created_at - interval '1 minute' where id = $1`, [
      budget.id,
    ]);
    await addLine(budget.id, { categoryId: rent, plannedDecimal: '1' });
    const { data: after } = await server.call('getBudget', { token: user.token, params: { budgetId: budget.id } });
    expect(after.createdAt).toBe(budget.createdAt);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(budget.createdAt));
  });

  it('adds up what is more than one amount can be', async () => {
    const plannedDecimal = '999999999999999.99';
    const { status, data } = await create({
      lines: [
        { categoryId: food, plannedDecimal },
        { categoryId: rent, plannedDecimal },
      ],
    });
    expect(status).toBe(201);
    expect(data.summary.expense.plannedDecimal).toBe('1999999999999999.98');
  });
});

describe('200', () => {
  it('counts what its lines name, tells the rest as unplanned, and leaves transfers, other currencies and other days out', async () => {
    const owner = await server.newUser();
    const place = await server.newTracker(owner);
    const dollars = await server.newAccount(owner, place.id, { name: 'Dollars', currencyCode: 'USD' });
    const savings = await server.newAccount(owner, place.id, { name: 'Savings' });
    const call = (body: Record<string, unknown>) =>
      server.call('createMovement', { token: owner.token, body: { accountId: place.accountId, ...body } });
    const { data: groceries } = await server.call('createCategory', {
      token: owner.token,
      body: { name: 'Groceries' },
    });
    const categoryId = groceries.id;
    await call({ type: 'expense', amountDecimal: '30.25', categoryId });
    await call({ type: 'expense', amountDecimal: '20.00', categoryId, occurredOn: addDays(today, -2) });
    await call({ type: 'income', amountDecimal: '5.00', categoryId });
    await call({ type: 'expense', amountDecimal: '7.00' });
    await call({ type: 'expense', amountDecimal: '99.00', categoryId, occurredOn: addDays(today, -3) });
    await call({ type: 'expense', amountDecimal: '99.00', categoryId, accountId: dollars.id });
    await server.call('createTransfer', {
      token: owner.token,
      body: { amountDecimal: '50', fromAccountId: place.accountId, toAccountId: savings.id },
    });
    const { data } = await server.call('createBudget', {
      token: owner.token,
      body: {
        name: 'Week',
        mode: 'tracking',
        periodStart: addDays(today, -2),
        periodEnd: addDays(today, 5),
        lines: [{ categoryId, plannedDecimal: '40' }],
      },
    });
    expect(data.lines).toMatchObject([{ actualDecimal: '50.25', remainingDecimal: '-10.25' }]);
    expect(data.summary).toEqual({
      expense: {
        plannedDecimal: '40.00',
        actualDecimal: '50.25',
        remainingDecimal: '-10.25',
        unplannedDecimal: '7.00',
      },
      income: { plannedDecimal: '0.00', actualDecimal: '0.00', remainingDecimal: '0.00', unplannedDecimal: '5.00' },
    });
    expect(data.progress).toEqual({ daysTotal: 8, daysElapsed: 3, elapsedRatio: '0.3750', expenseRatio: '1.2563' });
  });

  it('has plans only in planning mode', async () => {
    await record({ type: 'expense', amountDecimal: '5', categoryId: food });
    const { data } = await create({ mode: 'planning', lines: [{ categoryId: food, plannedDecimal: '10' }] });
    expect(data.lines).toMatchObject([{ plannedDecimal: '10.00', actualDecimal: null, remainingDecimal: null }]);
    expect(data.summary.expense).toEqual({
      plannedDecimal: '10.00',
      actualDecimal: null,
      remainingDecimal: null,
      unplannedDecimal: null,
    });
    expect(data.progress.expenseRatio).toBeNull();
  });

  it('lists by mode and by the status that follows from the tracker’s date', async () => {
    const { data: upcoming } = await create({ periodStart: addDays(today, 1), periodEnd: addDays(today, 1) });
    const { data: closed } = await create({ periodStart: addDays(today, -1), periodEnd: addDays(today, -1) });
    const { data: active } = await create({ mode: 'planning', periodStart: today, periodEnd: today });
    const ids = async (query: Record<string, string>) => {
      const { data } = await server.call('listBudgets', { token: user.token, query });
      return data.map(({ id }) => id);
    };
    for (const [status, own] of Object.entries({ upcoming, closed, active })) {
      const listed = await ids({ status });
      expect(listed).toContain(own.id);
      for (const other of [upcoming, closed, active]) if (other !== own) expect(listed).not.toContain(other.id);
    }
    expect(await ids({ status: 'active', mode: 'tracking' })).not.toContain(active.id);
    expect(await ids({ mode: 'planning' })).toContain(active.id);
    expect([upcoming.progress.daysElapsed, closed.progress.daysElapsed, active.progress.daysElapsed]).toEqual([
      0, 1, 1,
    ]);
  });

  it('lists by the status of this day in the tracker’s zone, where it is another one than in UTC', async () => {
    // Fourteen hours ahead, or eleven behind: at any time one of them has another date.
    const timeZone = new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago';
    const there = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
    const owner = await server.newUser();
    await server.newTracker(owner, { timeZone });
    const body = { name: 'Day', mode: 'tracking', periodStart: there, periodEnd: there };
    const { data } = await server.call('createBudget', { token: owner.token, body });
    const listed = (status: string) => server.call('listBudgets', { token: owner.token, query: { status } });
    expect((await listed('active')).data).toMatchObject([{ id: data.id, status: 'active' }]);
    for (const status of ['upcoming', 'closed']) expect((await listed(status)).data).toEqual([]);
  });

  it('lists the latest period first, and of one period the budget that was made last', async () => {
    const owner = await server.newUser();
    await server.newTracker(owner);
    const names = ['earlier', 'latest', 'earlier, made later'];
    for (const name of names) {
      const day = addDays(today, name === 'latest' ? 0 : -5);
      const body = { name, mode: 'tracking', periodStart: day, periodEnd: today };
      await server.call('createBudget', { token: owner.token, body });
    }
    const { data } = await server.call('listBudgets', { token: owner.token });
    expect(data.map(({ name }) => name)).toEqual(['latest', 'earlier, made later', 'earlier']);
  });

  it('replays a budget and a line under the key they were made with', async () => {
    const key = randomUUID();
    const [first, second] = [await create({}, { key }), await create({}, { key })];
    expect([second.status, second.data]).toEqual([200, first.data]);
    const lineKey = randomUUID();
    const line = { categoryId: food, plannedDecimal: '10' };
    const [one, two] = [await addLine(first.data.id, line, lineKey), await addLine(first.data.id, line, lineKey)];
    expect([one.status, two.status, two.data]).toEqual([201, 200, one.data]);
  });
});

describe('400', () => {
  it.each<[Record<string, unknown>, string[]]>([
    [{ mode: 'both' }, ['mode INVALID_FORMAT']],
    [{ periodEnd: '2020-01-01' }, ['periodEnd OUT_OF_RANGE']],
    [{ name: '', periodEnd: '2020-01-01' }, ['name REQUIRED', 'periodEnd OUT_OF_RANGE']],
    [{ currencyCode: 'XXX' }, ['currencyCode UNKNOWN_CURRENCY']],
    [{ lines: [{ categoryId: 'cat_unknown', plannedDecimal: '-1' }] }, ['lines.0.plannedDecimal INVALID_FORMAT']],
    [
      { currencyCode: 'JPY', lines: [{ categoryId: 'cat_unknown', plannedDecimal: '1.5' }] },
      ['lines.0.plannedDecimal AMOUNT_PRECISION'],
    ],
  ])('refuses %j', async (fields, issues) => {
    expect((await create(fields)).issues).toEqual(issues);
  });

  it('refuses a line in a category of the other kind, in its place', async () => {
    const lines = [
      { categoryId: food, plannedDecimal: '1' },
      { categoryId: salary, plannedDecimal: '1' },
    ];
    expect((await create({ lines })).issues).toEqual(['lines.1.categoryId CATEGORY_NOT_USABLE']);
  });
});

describe('404', () => {
  it('is the same for a budget of another tracker and for none', async () => {
    const stranger = await server.newUser();
    await server.newTracker(stranger);
    const { data } = await create();
    const answers = await Promise.all(
      [data.id, randomUUID()].map((budgetId) =>
        server.call('getBudget', { token: stranger.token, params: { budgetId } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.error).toEqual(answers[1]?.error);
    expect((await addLine(randomUUID(), { categoryId: food, plannedDecimal: '1' })).status).toBe(404);
  });

  it('names the category when a line has one that is not visible', async () => {
    const { data } = await create();
    const refused = await addLine(data.id, { categoryId: 'cat_nobody', plannedDecimal: '1' });
    expect(refused.error).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'category' } });
  });
});

describe('409', () => {
  it('refuses a second line for one category and type, in one request and in two', async () => {
    const line = { categoryId: food, plannedDecimal: '1' };
    expect((await create({ lines: [line, line] })).error?.details).toEqual({ reason: 'line_exists' });
    const { data } = await create({ lines: [line] });
    expect((await addLine(data.id, line)).error?.details).toEqual({ reason: 'line_exists' });
    expect((await addLine(data.id, { ...line, categoryId: 'cat_unknown', type: 'income' })).status).toBe(201);
  });

  it('ends at a thousand, also for two that come at once', async () => {
    const owner = await server.newUser();
    const place = await server.newTracker(owner);
    await client.query(
      `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
       select $1, gen_random_uuid(), 'x', 'planning', 'EUR', '2026-01-01', '2026-01-31' from generate_series(1, 999)`,
      [place.id],
    );
    const body = { name: 'x', mode: 'planning', periodStart: today, periodEnd: today };
    const results = await Promise.all(['a', 'b'].map(() => server.call('createBudget', { token: owner.token, body })));
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
