import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BudgetFixture, startBudgetFixture } from '../../../test-support/start-budget-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: BudgetFixture['tracker'];
let client: pg.Client;
let today: string;
let create: BudgetFixture['create'];
let food: string;
let rent: string;
let salary: string;

beforeAll(async () => {
  const fixture = await startBudgetFixture();
  ({ server, user, tracker, today, create } = fixture);
  client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  food = await fixture.newCategory('Food', 'expense');
  rent = await fixture.newCategory('Rent', 'expense');
  salary = await fixture.newCategory('Salary', 'income');
});

afterAll(async () => {
  await client.end();
  await server.close();
});

function addLine(budgetId: string, body: Record<string, unknown>, key?: string) {
  return server.call('addBudgetLine', {
    token: user.token,
    params: { budgetId },
    body,
    ...(key === undefined ? {} : { idempotencyKey: key }),
  });
}

describe('budgets: the server', () => {
  // @proves spec, Budgets: GET · /budgets/{budgetId}
  // @proves spec, Budgets: POST · /budgets
  // @proves contract 3: budget (detail)
  it('creates a budget in the currency of the tracker, with the lines of the body', async () => {
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

  // @proves spec, Budgets: POST · /budgets/{budgetId}/lines
  // @proves contract 3: budget line
  // @proves contract 10a: Budgets
  // @proves contract 10a: Location
  it('adds a line to a budget, and returns the Location of the budget', async () => {
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

  it('updates updatedAt of the budget when a line is added', async () => {
    const { data: budget } = await create();
    await client.query(`update app.budgets set updated_at = created_at - interval '1 minute' where id = $1`, [
      budget.id,
    ]);
    await addLine(budget.id, { categoryId: rent, plannedDecimal: '1' });
    const { data: after } = await server.call('getBudget', { token: user.token, params: { budgetId: budget.id } });
    expect(after.createdAt).toBe(budget.createdAt);
    expect(Date.parse(after.updatedAt)).toBeGreaterThanOrEqual(Date.parse(budget.createdAt));
  });

  // @proves contract 10a: Budgets
  it('returns a planned total above the maximum of a single amount when two lines plan that maximum', async () => {
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

describe('POST /budgets or POST /budgets/{budgetId}/lines with a repeated Idempotency-Key', () => {
  it('returns 200 with the data of the first response', async () => {
    const key = randomUUID();
    const [first, second] = [await create({}, { key }), await create({}, { key })];
    expect([second.status, second.data]).toEqual([200, first.data]);
    const lineKey = randomUUID();
    const line = { categoryId: food, plannedDecimal: '10' };
    const [one, two] = [await addLine(first.data.id, line, lineKey), await addLine(first.data.id, line, lineKey)];
    expect([one.status, two.status, two.data]).toEqual([201, 200, one.data]);
  });
});

describe('POST /budgets with invalid input', () => {
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
  ])('returns 400 for %j with the issues %j', async (fields, issues) => {
    expect((await create(fields)).issues).toEqual(issues);
  });

  it('rejects an expense line in an income category; the issue names the path of the line', async () => {
    const lines = [
      { categoryId: food, plannedDecimal: '1' },
      { categoryId: salary, plannedDecimal: '1' },
    ];
    expect((await create({ lines })).issues).toEqual(['lines.1.categoryId CATEGORY_NOT_USABLE']);
  });
});

describe('the budget operations with an unknown id or an id from another tracker', () => {
  // @proves spec, Budgets: GET · /budgets/{budgetId}
  // @proves spec, Errors: 404
  // @proves contract 2: Invisible records
  it('return the same 404 for a budget of another tracker and for one that does not exist', async () => {
    const otherUser = await server.newUser();
    await server.newTracker(otherUser);
    const { data } = await create();
    const responses = await Promise.all(
      [data.id, randomUUID()].map((budgetId) =>
        server.call('getBudget', { token: otherUser.token, params: { budgetId } }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
    expect(responses[0]?.error).toEqual(responses[1]?.error);
    expect((await addLine(randomUUID(), { categoryId: food, plannedDecimal: '1' })).status).toBe(404);
  });

  it('return 404 with details.resource "category" for an unknown categoryId in a line', async () => {
    const { data } = await create();
    const refused = await addLine(data.id, { categoryId: 'cat_nobody', plannedDecimal: '1' });
    expect(refused.error).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'category', path: 'categoryId' } });
  });
});

describe('POST /budgets or POST /budgets/{budgetId}/lines in conflict with other records', () => {
  // @proves contract 4: POST /budgets/{id}/lines
  it('rejects a second line with the same category and type, in the same request or in a later one', async () => {
    const line = { categoryId: food, plannedDecimal: '1' };
    expect((await create({ lines: [line, line] })).error?.details).toEqual({
      reason: 'line_exists',
      path: 'lines.1.categoryId',
    });
    const { data } = await create({ lines: [line] });
    const lineId = data.lines[0]?.id;
    expect((await addLine(data.id, line)).error?.details).toEqual({ reason: 'line_exists', lineId });
    expect(lineId).toBeDefined();
    expect((await addLine(data.id, { ...line, categoryId: 'cat_unknown', type: 'income' })).status).toBe(201);
  });

  it('accepts one of six concurrent requests that add the same line, and returns 409 with the id of that line to the others', async () => {
    const { data } = await create({ lines: [] });
    const line = { categoryId: food, plannedDecimal: '1' };
    const answers = await Promise.all(Array.from({ length: 6 }, () => addLine(data.id, line)));
    const added = answers.filter(({ status }) => status === 201).map((answer) => answer.data.id);
    expect(added).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409).map(({ error }) => error?.details);
    expect(refused).toEqual(Array(5).fill({ reason: 'line_exists', lineId: added[0] }));
  });

  // @proves contract 4: GET /movements
  it('allows at most 1000 budgets per tracker, also for concurrent requests', async () => {
    const owner = await server.newUser();
    const fullTracker = await server.newTracker(owner);
    await client.query(
      `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
       select $1, gen_random_uuid(), 'x', 'planning', 'EUR', '2026-01-01', '2026-01-31' from generate_series(1, 999)`,
      [fullTracker.id],
    );
    const body = { name: 'x', mode: 'planning', periodStart: today, periodEnd: today };
    const results = await Promise.all(['a', 'b'].map(() => server.call('createBudget', { token: owner.token, body })));
    expect(results.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});
