import { type RouteContract, routes } from '@centavo/contracts';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  FinancialClient,
  isIdempotencyConflictError,
  isNotFoundError,
  isOutcomeUnknownError,
  isPermissionError,
  isRateLimitError,
  isStateConflictError,
  isValidationError,
  isVersionConflictError,
} from '../index.js';
import {
  aBudget,
  aCashbox,
  aCategory,
  aMovement,
  anAccount,
  aSecret,
  errorAnswer,
  FakeCentavo,
  onCall,
  successAnswer,
} from './index.js';

const account = anAccount({ name: 'Everyday' });
const savings = anAccount({ name: 'Savings', type: 'savings' });
const shared = anAccount({ name: 'Shared' });
const jars = [aCashbox({ accountId: shared.id, name: 'Wallet' }), aCashbox({ accountId: shared.id, name: 'Jar' })];
const groceries = aCategory({ name: 'Groceries' });

const server = setupServer();
const checks: Promise<void>[] = [];
const client = new FinancialClient({ token: aSecret(), internals: { random: () => 0 } });
let centavo: FakeCentavo;

beforeAll(() => {
  server.listen({ onUnhandledRequest: 'error' });
  server.events.on('response:mocked', ({ request, response }) => {
    checks.push(checkAgainstContract(request.method, new URL(request.url).pathname, response.clone()));
  });
});
beforeEach(() => {
  centavo = new FakeCentavo({
    accounts: [account, savings, shared],
    cashboxes: jars,
    categories: [groceries],
    now: () => new Date('2026-01-31T12:00:00Z'),
  });
  server.resetHandlers(...centavo.handlers);
});
afterEach(async () => {
  await Promise.all(checks.splice(0));
});
afterAll(() => server.close());

/** Checks a response of the fake against the schema of the server's response. */
async function checkAgainstContract(method: string, path: string, response: Response): Promise<void> {
  if (response.type === 'error' || !response.ok) return;
  const route = Object.values<RouteContract>(routes).find(({ call }) => {
    const pattern = new RegExp(`^${call.base}${call.path.replace(/\{\w+\}/g, '[^/]+')}$`);
    return call.method === method && pattern.test(path);
  });
  const { data, meta } = await response.json();
  route?.data?.parse(data);
  expect(meta.pagination !== undefined).toBe(route?.paginated);
  expect(response.headers.has('etag')).toBe(route?.versioned);
}

const lunch = { type: 'expense', amountDecimal: '12.5', accountId: account.id } as const;
const refusalOf = (call: PromiseLike<unknown>) => call.then(null, (error: unknown) => error);

describe('the fake server', () => {
  test('lists a recorded movement, returns its ETag, and includes its amount in the balance of the cashbox', async () => {
    const created = await client.movements.create({ ...lunch, categoryId: groceries.id }).withResponse();
    expect(created).toMatchObject({ status: 201, replayed: false, data: { amountDecimal: '12.50', version: 1 } });
    expect(created.headers.get('location')).toBe(`/v1/financial/movements/${created.data.id}`);
    expect(created.data).toMatchObject({ occurredOn: '2026-01-31', categoryId: groceries.id, description: null });
    const read = await client.movements.get(created.data.id).withResponse();
    expect(read).toMatchObject({ data: created.data, etag: created.etag });
    expect((await client.movements.list()).data).toEqual([created.data]);
    const { data: balances } = await client.accounts.balances();
    expect(balances).toContainEqual(expect.objectContaining({ accountId: account.id, balanceDecimal: '-12.50' }));
  });

  test('records a transfer as two movements that leave the sum of the balances unchanged', async () => {
    const { groupId } = await client.transfers.create({
      amountDecimal: '100',
      fromAccountId: account.id,
      toAccountId: savings.id,
    });
    const transfer = await client.transfers.get(groupId);
    expect(centavo.movements).toEqual(transfer.movements);
    const balances = await client.accounts.balances();
    expect(balances.data.map((row) => row.balanceDecimal).filter((amount) => amount !== '0.00')).toEqual([
      '-100.00',
      '100.00',
    ]);
    const leg = await client.movements.get(transfer.from.movementId).withResponse();
    const error = await refusalOf(client.movements.correct(leg.data.id, { description: 'x' }, { etag: leg.etag }));
    expect(isStateConflictError(error) && error.reason).toBe('transfer_leg');
  });

  test('lists each matching movement once over several pages, even during concurrent writes', async () => {
    const days = ['01', '02', '03', '04', '05'].map((day) => `2026-01-${day}`);
    for (const occurredOn of days) await client.movements.create({ ...lunch, occurredOn });
    await client.movements.create({ ...lunch, type: 'income' });
    const seen: string[] = [];
    for await (const row of client.movements.list({ type: 'expense', limit: 2, from: '2026-01-02' })) {
      seen.push(row.occurredOn);
      // The test adds newer rows before the current page, and an older row after it.
      await client.movements.create({ ...lunch, occurredOn: '2026-01-30' });
      if (seen.length === 1) await client.movements.create({ ...lunch, occurredOn: '2026-01-02' });
    }
    expect(seen).toEqual(['2026-01-05', '2026-01-04', '2026-01-03', '2026-01-02', '2026-01-02']);
    expect((await client.movements.list({ includeTotal: true, limit: 1 })).pagination.total).toBe(12);
  });

  test('returns its tracker, accounts, cashboxes and categories', async () => {
    expect((await client.context.get()).activeTrackerId).toBe((await client.trackers.list()).data[0]?.id);
    expect((await client.accounts.list()).data.map((row) => row.eligibleCashboxCount)).toEqual([1, 1, 2]);
    expect((await client.accounts.cashboxes(shared.id)).data).toEqual(jars);
    const party = await client.categories.create({ name: 'Party' });
    expect(await client.categories.get(party.id)).toEqual(party);
    expect((await client.categories.list()).data.map((row) => row.name)).toEqual(['Desconocido', 'Groceries', 'Party']);
  });
});

describe('an idempotency key sent to the fake server', () => {
  test('makes a retry return the recorded movement if the first response was lost', async () => {
    centavo.loseNextAnswer('createMovement');
    const response = await client.movements.create(lunch).withResponse();
    expect(response).toMatchObject({ status: 200, replayed: true });
    expect(response.headers.has('location')).toBe(false);
    expect(centavo.movements).toEqual([response.data]);
  });

  test('prevents a second movement if the caller repeats a write whose outcome is unknown', async () => {
    centavo.loseNextAnswer('createMovement');
    const error = await refusalOf(client.movements.create(lunch, { maxRetries: 0 }));
    if (!isOutcomeUnknownError(error) || error.idempotencyKey === null) throw error;
    const { idempotencyKey } = error;
    await client.movements.create({ ...lunch, amountDecimal: '12.50' }, { idempotencyKey });
    expect(centavo.movements).toHaveLength(1);
  });

  test('is rejected if a different request with this key succeeded, but not if that request failed', async () => {
    const options = { idempotencyKey: 'row 7' };
    await refusalOf(client.movements.create({ ...lunch, accountId: groceries.id }, options));
    await client.movements.create(lunch, options);
    const error = await refusalOf(client.movements.create({ ...lunch, amountDecimal: '13' }, options));
    expect(isIdempotencyConflictError(error) && error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(centavo.movements).toHaveLength(1);
  });
});

describe('a correction sent to the fake server', () => {
  test('is rejected with VersionConflictError if its ETag is stale; correctWith retries it with the new version', async () => {
    const { data, etag } = await client.movements.create(lunch).withResponse();
    const theirs = centavo.changeMovement(data.id, { description: 'Dinner' });
    expect(theirs.version).toBe(2);
    const error = await refusalOf(client.movements.correct(data.id, { description: 'Lunch' }, { etag }));
    expect(isVersionConflictError(error) && error.currentEtag).not.toBe(etag);
    let isChanged = false;
    const corrected = await client.movements.correctWith(data.id, (current) => {
      if (!isChanged) centavo.changeMovement(data.id, { merchantName: 'Casa Ana' });
      isChanged = true;
      return { description: `${current.description} with Berta` };
    });
    expect(corrected).toMatchObject({ description: 'Dinner with Berta', merchantName: 'Casa Ana', version: 4 });
  });

  test('that is empty and has a stale ETag is refused with EMPTY_PATCH', async () => {
    const { id } = await client.movements.create(lunch);
    const error = await refusalOf(client.movements.correct(id, {}, { etag: '"stale"' }));
    expect(isValidationError(error) && error.issues[0]?.code).toBe('EMPTY_PATCH');
  });

  test('clears the fields that it sets to null, and does not increase the version if it changes nothing', async () => {
    const { id } = await client.movements.create({ ...lunch, description: 'Lunch', categoryId: groceries.id });
    expect(await client.movements.correctWith(id, () => ({ description: 'Lunch' }))).toMatchObject({ version: 1 });
    const cleared = await client.movements.correctWith(id, () => ({ description: null, categoryId: null }));
    expect(cleared).toMatchObject({ description: null, categoryId: 'cat_unknown', version: 2 });
  });
});

describe('an error of the fake server', () => {
  test.each([
    [{ ...lunch, amountDecimal: '0.00' }, 'OUT_OF_RANGE'],
    [{ ...lunch, amountDecimal: '-5' }, 'INVALID_FORMAT'],
    [{ ...lunch, amountDecimal: 12.5 }, 'INVALID_FORMAT'],
    [{ ...lunch, amountDecimal: '1.005' }, 'AMOUNT_PRECISION'],
    [{ ...lunch, currencyCode: 'USD' }, 'CURRENCY_MISMATCH'],
    [{ ...lunch, amount: '1' }, 'UNKNOWN_FIELD'],
    [{ ...lunch, type: undefined }, 'REQUIRED'],
    [{ ...lunch, type: 'gift' }, 'INVALID_FORMAT'],
    [{ ...lunch, occurredOn: '2026-02-30' }, 'INVALID_FORMAT'],
    [{ ...lunch, accountId: shared.id }, 'CASHBOX_SELECTION_REQUIRED'],
  ])('for the invalid movement %j has the issue %s', async (input, code) => {
    const error = await refusalOf(client.movements.create(input as typeof lunch));
    expect(isValidationError(error) && error.issues.map((issue) => issue.code)).toEqual([code]);
    expect(centavo.movements).toHaveLength(0);
  });

  test('lists the eligible cashboxes if the account has several and the request names no cashbox', async () => {
    const error = await refusalOf(client.movements.create({ ...lunch, accountId: shared.id }));
    const eligibleCashboxIds = jars.map(({ id }) => id);
    expect(isValidationError(error) && error.issues).toMatchObject([{ eligibleCashboxIds }]);
    const [wallet] = jars;
    const movement = await client.movements.create({ ...lunch, accountId: shared.id, cashboxId: wallet?.id });
    expect(movement.cashboxId).toBe(wallet?.id);
  });

  test('is returned for an unknown id, for an unknown tracker and for a request without a token', async () => {
    expect(await refusalOf(client.movements.get(account.id))).toSatisfy(isNotFoundError);
    expect(await refusalOf(client.forTracker(account.id).movements.list())).toSatisfy(isPermissionError);
    const anonymous = new FinancialClient();
    expect(await refusalOf(anonymous.movements.list())).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'This call needs a token. Set one: new FinancialClient({ token })',
    });
  });
});

describe('a request handler that a test adds to the fake server', () => {
  test('responds to one request if it has the option `once`, and the fake server responds to the next request', async () => {
    server.use(
      onCall('createMovement', () => errorAnswer('RATE_LIMITED', { retryAfterSeconds: 3600 }), { once: true }),
    );
    const error = await refusalOf(client.movements.create(lunch));
    expect(isRateLimitError(error) && error.retryAfterMs).toBe(3_600_000);
    expect(await client.movements.create(lunch)).toMatchObject({ amountDecimal: '12.50' });
  });

  test('responds to an operation that the fake server does not support', async () => {
    const budget = aBudget({ name: 'Holidays' });
    server.use(onCall('listBudgets', () => successAnswer([budget])));
    expect((await client.budgets.list()).data).toEqual([budget]);
  });
});

test('the fake server starts with the given records, and does not change the given objects', async () => {
  const rent = aMovement({ accountId: account.id, description: 'Rent' });
  const seeded = new FakeCentavo({ accounts: [account], movements: [rent] });
  server.resetHandlers(...seeded.handlers);
  await client.movements.create(lunch);
  await client.movements.correctWith(rent.id, () => ({ description: 'Rent January' }));
  expect(rent).toMatchObject({ description: 'Rent', version: 1 });
  expect(seeded.movements.map(({ description }) => description)).toEqual(['Rent January', null]);
});
