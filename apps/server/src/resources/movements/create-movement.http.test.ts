import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MovementFixture, startMovementFixture } from '../../../test-support/start-movement-fixture.js';
import type { TestServer, TestUser } from '../../../test-support/start-test-server.js';

let fixture: MovementFixture;
let server: TestServer;
let user: TestUser;
let tracker: MovementFixture['tracker'];
let client: pg.Client;
let create: MovementFixture['create'];
let expense: MovementFixture['expense'];
let countRows: MovementFixture['countRows'];

beforeAll(async () => {
  fixture = await startMovementFixture();
  ({ server, user, tracker, client, create, expense, countRows } = fixture);
});

afterAll(() => fixture.close());

async function balanceOf(cashboxId: string): Promise<string> {
  const { data } = await server.call('listBalances', { token: user.token, tracker: tracker.id });
  return data.find((row) => row.cashboxId === cashboxId)?.balanceDecimal ?? 'no such cashbox';
}

describe('POST /movements', () => {
  // @proves spec, Movement request fields: categoryId
  // @proves spec, Movement request fields: occurredOn
  // @proves spec, Movements and transfers: POST · /movements
  // @proves spec, Versioning: rule 2
  // @proves contract 1: create operations
  // @proves contract 1: success meta
  // @proves contract 3: movement
  // @proves contract 4: POST /movements
  it('records an expense with all defaults', async () => {
    const before = await balanceOf(tracker.cashboxId);
    const { status, data, headers, meta } = await create(expense());
    expect(status).toBe(201);
    expect(data).toMatchObject({
      trackerId: tracker.id,
      type: 'expense',
      kind: 'regular',
      amountDecimal: '12.50',
      currencyCode: 'EUR',
      accountId: tracker.accountId,
      cashboxId: tracker.cashboxId,
      categoryId: 'cat_unknown',
      description: null,
      merchantName: null,
      transferGroupId: null,
      source: { type: 'user', id: user.userId },
      version: 1,
    });
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Madrid' }).format(new Date());
    expect(data.occurredOn).toBe(today);
    expect(headers.get('location')).toBe(`/v1/financial/movements/${data.id}`);
    expect(headers.get('etag')).toMatch(/^"[\w-]{22}"$/);
    expect(meta).toEqual({ apiVersion: 1, requestId: meta.requestId, trackerId: tracker.id });
    expect(Number(await balanceOf(tracker.cashboxId)) * 100).toBe(Number(before) * 100 - 1250);
  });

  // @proves spec, Movement request fields: amountDecimal
  // @proves contract 1: amount format
  it('returns an amount with exactly the decimal places of its currency', async () => {
    for (const [sent, shown] of [
      ['7', '7.00'],
      ['7.1', '7.10'],
      ['999999999999999.99', '999999999999999.99'],
    ]) {
      expect((await create(expense({ amountDecimal: sent }))).data.amountDecimal).toBe(shown);
    }
  });

  it('keeps the balance exact to the cent when several movements have the maximum amount', async () => {
    const { id: accountId, cashboxes } = await server.newAccount(user, tracker.id, { name: 'Large' });
    const amountDecimal = '999999999999999.99';
    for (const type of ['income', 'income', 'income', 'expense']) {
      expect((await create({ type, amountDecimal, accountId })).status).toBe(201);
    }
    expect(await balanceOf(cashboxes[0]?.id ?? '')).toBe('1999999999999999.98');
  });

  it('trims descriptions and merchant names, keeps new lines in a description, and stores an empty value as null', async () => {
    const { data } = await create(expense({ description: '  two\nlines\t ', merchantName: '   ' }));
    expect(data.description).toBe('two\nlines');
    expect(data.merchantName).toBeNull();
  });

  // @proves spec, Idempotency rules: rule 2
  it('records two movements when the same body is sent under two Idempotency-Keys', async () => {
    const before = await countRows();
    const first = await create(expense(), { key: randomUUID() });
    const second = await create(expense(), { key: randomUUID() });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.data.id).not.toBe(first.data.id);
    expect((await countRows()).movements).toBe((before.movements ?? 0) + 2);
  });

  // @proves spec, Movement request fields: description
  // @proves spec, Limits: description
  it('counts the length of a description in characters, not in UTF-16 code units', async () => {
    const { status } = await create(expense({ description: '💶'.repeat(500) }));
    expect(status).toBe(201);
    expect((await create(expense({ description: '💶'.repeat(501) }))).issues).toEqual(['description TOO_LONG']);
  });

  it('inserts a row into categories_in_use only for the tracker’s first movement in a category', async () => {
    const { data: category } = await server.call('createCategory', { token: user.token, body: { name: 'Used twice' } });
    const countUses = () =>
      client.query('select 1 from app.categories_in_use where tracker_id = $1 and category_id = $2', [
        tracker.id,
        category.id,
      ]);
    const uses = [(await countUses()).rowCount];
    for (const amountDecimal of ['1', '2']) {
      const { status, data } = await create(expense({ categoryId: category.id, amountDecimal }));
      expect([status, data.categoryId]).toEqual([201, category.id]);
      uses.push((await countUses()).rowCount);
    }
    expect(uses).toEqual([0, 1, 1]);
  });

  // @proves contract 6: Transaction
  it('writes one audit event with the caller, the action and the request id', async () => {
    const { data, meta } = await create(expense());
    const { rows } = await client.query('select * from app.recorded_events where resource_id = $1', [data.id]);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      tracker_id: tracker.id,
      user_id: user.userId,
      credential_id: null,
      action: 'movement.created',
      resource_type: 'movement',
      request_id: meta.requestId,
    });
  });
});

describe('POST /movements with invalid input', () => {
  const bodies: [title: string, fields: Record<string, unknown>, issues: string[]][] = [
    // @proves spec, Movement request fields: amountDecimal
    // @proves spec, Versioning: rule 4
    // @proves contract 1: money
    ['a number for an amount', { amountDecimal: 12.5 }, ['amountDecimal INVALID_FORMAT']],
    ['an amount with an exponent', { amountDecimal: '1e3' }, ['amountDecimal INVALID_FORMAT']],
    ['an amount with a sign', { amountDecimal: '-1' }, ['amountDecimal INVALID_FORMAT']],
    ['an amount with a leading zero', { amountDecimal: '01' }, ['amountDecimal INVALID_FORMAT']],
    ['an amount with sixteen integer digits', { amountDecimal: '1000000000000000' }, ['amountDecimal INVALID_FORMAT']],
    // @proves spec, Movement request fields: amountDecimal
    ['an amount of zero', { amountDecimal: '0.00' }, ['amountDecimal OUT_OF_RANGE']],
    // @proves spec, Movement request fields: amountDecimal
    ['a third decimal place in euros', { amountDecimal: '1.005' }, ['amountDecimal AMOUNT_PRECISION']],
    // @proves spec, Movement request fields: amountDecimal
    // @proves spec, Versioning: rule 4
    // @proves contract 1: unknown body fields, unknown or repeated query parameters
    ['an unknown field', { amount: '1' }, ['amount UNKNOWN_FIELD']],
    ['an unknown type', { type: 'gift' }, ['type INVALID_FORMAT']],
    // @proves spec, Movement request fields: currencyCode
    // @proves contract 4: POST /movements
    ['a currency other than that of the account', { currencyCode: 'USD' }, ['currencyCode CURRENCY_MISMATCH']],
    // @proves spec, Movement request fields: currencyCode
    ['an unknown currency', { currencyCode: 'XXX' }, ['currencyCode UNKNOWN_CURRENCY']],
    // @proves spec, Movement request fields: currencyCode
    // @proves contract 10a: Smaller
    ['a currency in lower case', { currencyCode: 'eur' }, ['currencyCode INVALID_FORMAT']],
    // @proves spec, Movement request fields: occurredOn
    ['a date that does not exist', { occurredOn: '2026-02-30' }, ['occurredOn INVALID_FORMAT']],
    // @proves contract 1: dates
    ['a date before 1900', { occurredOn: '1899-12-31' }, ['occurredOn OUT_OF_RANGE']],
    ['a date too far ahead', { occurredOn: '2999-01-01' }, ['occurredOn OUT_OF_RANGE']],
    ['a control character', { merchantName: 'a\u0000b' }, ['merchantName INVALID_FORMAT']],
    ['a new line in a merchant name', { merchantName: 'a\nb' }, ['merchantName INVALID_FORMAT']],
    ['a broken surrogate pair', { description: 'a\ud800' }, ['description INVALID_FORMAT']],
    // @proves spec, Movement request fields: description
    // @proves spec, Limits: description
    ['a description of 501 characters', { description: 'x'.repeat(501) }, ['description TOO_LONG']],
    // @proves spec, Movement request fields: merchantName
    // @proves spec, Limits: merchantName
    ['a merchant name of 201 characters', { merchantName: 'x'.repeat(201) }, ['merchantName TOO_LONG']],
    // @proves spec, Movement request fields: accountId
    ['a malformed account id', { accountId: 'mine' }, ['accountId INVALID_FORMAT']],
    [
      'several malformed fields',
      { type: undefined, amountDecimal: '1,5', occurredOn: 'today', colour: 'red' },
      ['type REQUIRED', 'amountDecimal INVALID_FORMAT', 'occurredOn INVALID_FORMAT', 'colour UNKNOWN_FIELD'],
    ],
    [
      'several values that the account or the date limit does not allow',
      { amountDecimal: '1.005', currencyCode: 'USD', occurredOn: '2999-01-01' },
      ['amountDecimal AMOUNT_PRECISION', 'currencyCode CURRENCY_MISMATCH', 'occurredOn OUT_OF_RANGE'],
    ],
  ];

  // @proves spec, Errors: 400
  // @proves contract 5: 400
  // @proves contract 6: Transaction
  it.each(bodies)('rejects %s, names the field and records nothing', async (_, fields, issues) => {
    const before = await countRows();
    const key = randomUUID();
    const refused = await create(expense(fields), { key });
    expect(refused.status).toBe(400);
    expect(refused.error?.code).toBe('VALIDATION_ERROR');
    expect(refused.issues).toEqual(issues);
    expect(await countRows()).toEqual(before);
    // The rejected request did not record the key, so the corrected request can use it.
    expect((await create(expense(), { key })).status).toBe(201);
  });

  // @proves spec, Endpoints: Idempotency-Key
  it('reports a missing Idempotency-Key and an invalid type in one response', async () => {
    const response = await fetch(`${server.baseUrl}/movements`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(expense({ type: 'gift' })),
    });
    const { error } = (await response.json()) as { error: { details: { issues: { code: string }[] } } };
    expect(response.status).toBe(400);
    expect(error.details.issues.map(({ code }) => code)).toEqual(['INVALID_FORMAT', 'IDEMPOTENCY_KEY_REQUIRED']);
  });

  it.each([
    // @proves spec, Endpoints: Idempotency-Key
    // @proves spec, Limits: Idempotency-Key length
    ['of 201 characters', 'k'.repeat(201), 'TOO_LONG'],
    ['with a non-ASCII letter', 'clé', 'INVALID_FORMAT'],
  ])('rejects an Idempotency-Key %s', async (_, key, code) => {
    const response = await create(expense(), { headers: { 'Idempotency-Key': key } });
    expect(response.issues).toEqual([`header.Idempotency-Key ${code}`]);
  });

  // @proves spec, Movement request fields: cashboxId
  // @proves contract 4: omitted cashbox, several eligible
  it('rejects a request without a cashbox if the account has several active cashboxes, and returns their ids', async () => {
    const account = await server.newAccount(user, tracker.id, { cashboxes: [{ name: 'a' }, { name: 'b' }] });
    const { issues, error } = await create(expense({ accountId: account.id }));
    expect(issues).toEqual(['cashboxId CASHBOX_SELECTION_REQUIRED']);
    const [issue] = (error?.details.issues ?? []) as { eligibleCashboxIds: string[] }[];
    expect(new Set(issue?.eligibleCashboxIds)).toEqual(new Set(account.cashboxes.map(({ id }) => id)));
  });

  // @proves contract 4: omitted cashbox, several eligible
  // @proves contract 10a: Movements
  it('rejects an account without an active cashbox, and an archived cashbox', async () => {
    const account = await server.newAccount(user, tracker.id);
    await server.call('updateCashbox', {
      token: user.token,
      tracker: tracker.id,
      params: { cashboxId: account.cashboxes[0]?.id ?? '' },
      body: { status: 'archived' },
    });
    expect((await create(expense({ accountId: account.id }))).issues).toEqual(['cashboxId NO_ELIGIBLE_CASHBOX']);
    const named = await create(expense({ accountId: account.id, cashboxId: account.cashboxes[0]?.id }));
    expect(named.issues).toEqual(['cashboxId NO_ELIGIBLE_CASHBOX']);
  });

  // @proves contract 10a: Movements
  it('rejects an income category for an expense', async () => {
    const { data } = await server.call('createCategory', {
      token: user.token,
      body: { name: 'Salary', kind: 'income' },
    });
    expect((await create(expense({ categoryId: data.id }))).issues).toEqual(['categoryId CATEGORY_NOT_USABLE']);
  });
});

describe('POST /movements', () => {
  // @proves spec, Movement request fields: accountId
  // @proves contract 5: 404
  it('returns the same 404 for a missing account, cashbox or category and for one of another tracker', async () => {
    const otherUser = await server.newUser();
    const otherTracker = await server.newTracker(otherUser);
    const { data: foreign } = await server.call('createCategory', { token: otherUser.token, body: { name: 'Theirs' } });
    for (const [resource, field, foreignId, missing] of [
      ['account', 'accountId', otherTracker.accountId, randomUUID()],
      ['cashbox', 'cashboxId', otherTracker.cashboxId, randomUUID()],
      ['category', 'categoryId', foreign.id, 'cat_nobody'],
    ] as const) {
      const before = await countRows();
      const [first, second] = await Promise.all([foreignId, missing].map((id) => create(expense({ [field]: id }))));
      expect(first?.status).toBe(404);
      expect(first?.error).toEqual(second?.error);
      expect(first?.error?.details).toEqual({ resource, path: field });
      expect(await countRows()).toEqual(before);
    }
  });
});
