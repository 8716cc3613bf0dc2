import { addDays } from '@centavo/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BudgetFixture, startBudgetFixture } from '../../../test-support/start-budget-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';

let server: TestServer;
let user: TestUser;
let tracker: BudgetFixture['tracker'];
let today: string;
let create: BudgetFixture['create'];
let food: string;

beforeAll(async () => {
  const fixture = await startBudgetFixture();
  ({ server, user, tracker, today, create } = fixture);
  food = await fixture.newCategory('Food', 'expense');
});

afterAll(() => server.close());

function record(fields: Record<string, unknown>) {
  return server.call('createMovement', { token: user.token, body: { accountId: tracker.accountId, ...fields } });
}

describe('budgets: the server', () => {
  // @proves contract 3: budget summary
  // @proves contract 3: budget progress
  // @proves contract 3: Transfer legs
  // @proves contract 3: Actual amounts
  // @proves contract 10a: Budgets
  it('counts a movement without a matching line as unplanned; ignores transfers, and movements outside the period or currency of the budget', async () => {
    const owner = await server.newUser();
    const home = await server.newTracker(owner);
    const dollars = await server.newAccount(owner, home.id, { name: 'Dollars', currencyCode: 'USD' });
    const savings = await server.newAccount(owner, home.id, { name: 'Savings' });
    const call = (body: Record<string, unknown>) =>
      server.call('createMovement', { token: owner.token, body: { accountId: home.accountId, ...body } });
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
      body: { amountDecimal: '50', fromAccountId: home.accountId, toAccountId: savings.id },
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

  // @proves spec, Budgets: POST · /budgets
  // @proves contract 3: budget progress
  // @proves contract 3: Budget status
  // @proves contract 10a: Budgets
  it('returns null for the actual amounts of a budget in planning mode', async () => {
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

  // @proves spec, Budgets: GET · /budgets?mode=&status=
  // @proves contract 3: budget (list)
  // @proves contract 3: Budget status
  // @proves contract 4: GET /budgets
  // @proves contract 10a: Budgets
  it('filters budgets by mode, and by their status on the current date in the tracker’s time zone', async () => {
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

  // @proves contract 10a: Budgets
  it('derives the status of a budget from the date in the tracker’s time zone, not from the date in UTC', async () => {
    // At any time, the date in UTC+14 or in UTC−11 differs from the date in UTC.
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

  it('lists budgets by period start, latest first, and those with the same start by creation, newest first', async () => {
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
});
