import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { RouteContract } from '../route-contract.js';
import { type RouteName, routes } from '../routes.js';
import { openApiDocument } from './index.js';

const document = openApiDocument({ serverUrl: '/', version: '0.1.0' });
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'openapi');

/** Returns whether the document accepts a body, and whether the contract accepts it. */
function validate(name: RouteName, body: unknown): { document: boolean; contract: boolean } {
  const { call, body: schema } = routes[name] as RouteContract;
  const { requestBody } = document.paths[call.base + call.path]?.[call.method.toLowerCase()] ?? {};
  const { content } = requestBody as { content: { 'application/json': { schema: { $ref: string } } } };
  const validate = ajv.compile({ $ref: `openapi${content['application/json'].schema.$ref}` });
  return { document: validate(body), contract: schema?.safeParse(body).success ?? false };
}

const id = '0199F7A0-0000-7000-8000-00000000000a';
const movement = { type: 'expense', amountDecimal: '12.50', accountId: id };
const transfer = { amountDecimal: '1', fromAccountId: id, toAccountId: id };
const tracker = { name: 'Home', currencyCode: 'EUR', timeZone: 'Europe/Madrid' };
const key = { name: 'Bot', scopes: ['movements:write'], access: { mode: 'all_managed' } };
const budget = { name: 'June', mode: 'tracking', periodStart: '2026-06-01', periodEnd: '2026-06-30' };
const user = { email: 'ana@example.org', password: 'correct horse battery' };

const accepted: readonly [RouteName, object][] = [
  ['createMovement', movement],
  ['createMovement', { ...movement, amountDecimal: '0.0001' }],
  ['createMovement', { ...movement, amountDecimal: '999999999999999.99' }],
  ['createMovement', { ...movement, cashboxId: null, occurredOn: null, currencyCode: null, description: null }],
  ['createMovement', { ...movement, description: 'two\nlines\tand a tab', merchantName: '' }],
  ['createMovement', { ...movement, description: '🪙'.repeat(500) }],
  ['createMovement', { ...movement, occurredOn: '1900-01-01', categoryId: 'cat_unknown' }],
  ['createMovement', { ...movement, occurredOn: '2024-02-29', currencyCode: 'KWD' }],
  ['createMovements', { movements: [movement] }],
  ['createMovements', { mode: 'independent', movements: [{ ...movement, idempotencyKey: 'a' }] }],
  ['correctMovement', { categoryId: null }],
  ['createTransfer', transfer],
  ['createTracker', tracker],
  ['createTracker', { ...tracker, name: 'x'.repeat(100) }],
  ['updateAccount', { status: 'archived' }],
  ['createAccount', { name: 'Card', type: 'credit_card', openingBalanceDecimal: '-80.00' }],
  ['createAccount', { name: 'Card', type: 'cash', cashboxes: [{ name: 'A', openingBalanceDecimal: '0' }] }],
  ['addBudgetLine', { categoryId: 'cat_food', plannedDecimal: '0' }],
  ['createBudget', { ...budget, lines: [{ categoryId: 'cat_food', plannedDecimal: '10.00', note: null }] }],
  ['createApiKey', { ...key, expiresAt: '2027-01-31T12:00:00.5+02:00' }],
  ['createApiKey', { ...key, access: { mode: 'selected', trackerIds: [id] } }],
  ['createIntegrationClient', { name: 'Sync', scopes: ['context:read'] }],
  ['rotateApiKey', {}],
  ['addMember', { email: ' ana@example.org ', role: 'editor' }],
  ['createUser', { ...user, displayName: 'Ada' }],
  ['createUser', { ...user, password: '🪙'.repeat(12) }],
  ['verifyTotp', { code: '012345' }],
];

const refused: readonly [RouteName, object][] = [
  ...['0', '0.00', '-1', '+1', '01', '1.', '.5', '1e3', '1,5', '1.00000', '1000000000000000', ' 1', 1].map(
    (amountDecimal) => ['createMovement', { ...movement, amountDecimal }] as [RouteName, object],
  ),
  ...['2026-02-30', '2025-02-29', '1899-12-31', '2026-6-1', '2026-06-01T00:00:00Z'].map(
    (occurredOn) => ['createMovement', { ...movement, occurredOn }] as [RouteName, object],
  ),
  ...['eur', 'XYZ', 'EURO', ''].map(
    (currencyCode) => ['createMovement', { ...movement, currencyCode }] as [RouteName, object],
  ),
  ['createMovement', { ...movement, accountId: 'x' }],
  ['createMovement', { ...movement, amount: '1' }],
  ['createMovement', { ...movement, description: 'x'.repeat(501) }],
  ['createMovement', { ...movement, description: 'a\u0000b' }],
  ['createMovement', { ...movement, merchantName: 'a\nb' }],
  ['createMovement', { ...movement, merchantName: '🪙'.repeat(201) }],
  ['createMovement', { ...movement, categoryId: 'a b' }],
  ['createMovement', { type: 'expense', amountDecimal: '1' }],
  ['createMovements', { movements: [] }],
  ['createMovements', { movements: Array(101).fill(movement) }],
  ['createMovements', { mode: 'both', movements: [movement] }],
  ['correctMovement', {}],
  ['correctMovement', { amountDecimal: null }],
  ['createTransfer', { ...transfer, toAccountId: null }],
  ['createTracker', { ...tracker, name: '' }],
  ['createTracker', { ...tracker, name: 'x'.repeat(101) }],
  ['createTracker', { ...tracker, timeZone: '+02:00' }],
  ['updateTracker', {}],
  ['updateAccount', {}],
  ['createAccount', { name: 'Card', type: 'cash', cashboxes: [] }],
  ['createAccount', { name: 'Card', type: 'cash', openingBalanceDecimal: '--1' }],
  ['addBudgetLine', { categoryId: 'cat_food', plannedDecimal: '-1' }],
  ['createBudget', { ...budget, lines: Array(201).fill({ categoryId: 'a', plannedDecimal: '1' }) }],
  ['createApiKey', { ...key, scopes: [] }],
  ['createApiKey', { ...key, scopes: ['movements:write', 'movements:write'] }],
  ['createApiKey', { ...key, scopes: ['everything'] }],
  ['createApiKey', { ...key, expiresAt: null }],
  ['createApiKey', { ...key, expiresAt: '2027-01-31' }],
  ['createApiKey', { ...key, access: { mode: 'selected', trackerIds: [] } }],
  ['createApiKey', { ...key, access: { mode: 'all_memberships' } }],
  ['addMember', { email: 'ana', role: 'editor' }],
  ['addMember', { email: `${'a'.repeat(250)}@example.org`, role: 'editor' }],
  ['createUser', { ...user, password: 'x'.repeat(11) }],
  ['createUser', { ...user, password: 'x'.repeat(129) }],
  ['verifyTotp', { code: '12345' }],
];

describe('the OpenAPI request schema', () => {
  test.each(accepted)('of %s accepts a body that the Zod schema accepts: %j', (name, body) => {
    expect(validate(name, body)).toEqual({ document: true, contract: true });
  });

  test.each(refused)('of %s rejects a body that the Zod schema rejects: %j', (name, body) => {
    expect(validate(name, body)).toEqual({ document: false, contract: false });
  });
});

describe('the generated query parameters of GET /movements', () => {
  const { parameters = [] } = document.paths['/v1/financial/movements']?.get ?? {};
  const named = (name: string) => parameters.find((parameter) => parameter.name === name);

  test('are all optional; `limit`, `offset`, `categoryIds`, `from` and `type` have the types and limits of the contract', () => {
    expect(named('limit')?.schema).toEqual({ type: 'integer', minimum: 1, maximum: 200, default: 50 });
    expect(named('offset')?.schema).toEqual({ type: 'integer', minimum: 0, maximum: 100_000 });
    expect(named('categoryIds')).toMatchObject({
      style: 'form',
      explode: false,
      schema: { type: 'array', minItems: 1, maxItems: 5 },
    });
    expect(named('from')?.schema).toMatchObject({ type: 'string', format: 'date' });
    expect(named('type')?.schema).toMatchObject({ enum: ['expense', 'income'] });
    expect(parameters.filter(({ in: location, required }) => location === 'query' && required === true)).toEqual([]);
  });
});
