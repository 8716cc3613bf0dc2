import { expect, test } from 'vitest';
import { previewOf } from './preview.js';
import { routes } from './routes.js';
import { transferRecord } from './transfers/transfer-record.js';

test('a dry run is possible for exactly the POST and PATCH operations of the financial API outside credentials and webhooks', () => {
  const accepting = Object.values(routes).filter((route) => route.dryRun);
  expect(accepting.map(({ call }) => call.name).sort()).toEqual([
    'acceptInvitation',
    'addBudgetLine',
    'addMember',
    'changeMemberRole',
    'correctMovement',
    'createAccount',
    'createBudget',
    'createCashbox',
    'createCategory',
    'createMovement',
    'createMovements',
    'createTracker',
    'createTransfer',
    'updateAccount',
    'updateCashbox',
    'updateTracker',
    'voidMovement',
    'voidTransfer',
  ]);
});

const leg = {
  id: null,
  trackerId: '019a0000-0000-7000-8000-000000000001',
  type: 'expense',
  kind: 'transfer',
  amountDecimal: '1.00',
  currencyCode: 'EUR',
  accountId: '019a0000-0000-7000-8000-000000000002',
  cashboxId: '019a0000-0000-7000-8000-000000000003',
  categoryId: null,
  occurredOn: '2026-05-01',
  description: null,
  merchantName: null,
  transferGroupId: null,
  source: { type: 'user', id: '019a0000-0000-7000-8000-000000000004' },
  externalId: null,
  version: 1,
  createdAt: null,
  updatedAt: null,
  voidedAt: null,
};
const side = { accountId: leg.accountId, cashboxId: leg.cashboxId, movementId: null };
const transfer = {
  groupId: null,
  trackerId: leg.trackerId,
  amountDecimal: '1.00',
  currencyCode: 'EUR',
  occurredOn: '2026-05-01',
  description: null,
  from: side,
  to: side,
  movements: [leg, { ...leg, type: 'income' }],
  createdAt: null,
  voidedAt: null,
};

test('the response schema of a dry run accepts null for generated values, also in nested records', () => {
  expect(previewOf(transferRecord).safeParse(transfer).error).toBeUndefined();
  expect(transferRecord.safeParse(transfer).success).toBe(false);
});

test('the response schema of a dry run rejects null in fields that the server does not generate', () => {
  expect(previewOf(transferRecord).safeParse({ ...transfer, trackerId: null }).success).toBe(false);
  const movements = [{ ...leg, cashboxId: null }, leg];
  expect(previewOf(transferRecord).safeParse({ ...transfer, movements }).success).toBe(false);
});
