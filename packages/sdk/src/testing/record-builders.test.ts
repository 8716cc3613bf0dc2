import * as contracts from '@centavo/contracts';
import { describe, expect, test } from 'vitest';
import { FinancialClient } from '../index.js';
import * as testing from './index.js';

type Schema = { readonly parse: (value: unknown) => unknown };

/** The name of each builder, the builder, and the schema of its record. */
const builders: readonly (readonly [string, () => unknown, Schema])[] = [
  ['aTracker', testing.aTracker, contracts.trackerRecord],
  ['aContext', testing.aContext, contracts.contextRecord],
  ['aMember', testing.aMember, contracts.memberRecord],
  ['anInvitation', testing.anInvitation, contracts.invitationRecord],
  ['anAccount', testing.anAccount, contracts.accountRecord],
  ['aCashbox', testing.aCashbox, contracts.cashboxRecord],
  ['aBalance', testing.aBalance, contracts.balanceRecord],
  ['aCategory', testing.aCategory, contracts.categoryRecord],
  ['theUnknownCategory', testing.theUnknownCategory, contracts.categoryRecord],
  ['aMovement', testing.aMovement, contracts.movementRecord],
  ['aTransfer', testing.aTransfer, contracts.transferRecord],
  ['aBudget', testing.aBudget, contracts.budgetRecord],
  ['aBudgetLine', testing.aBudgetLine, contracts.budgetLineRecord],
  ['aBudgetDetail', testing.aBudgetDetail, contracts.budgetDetailRecord],
  ['aCredential', testing.aCredential, contracts.credentialRecord],
  ['aCreatedCredential', testing.aCreatedCredential, contracts.createdCredentialRecord],
  ['aWebhook', testing.aWebhook, contracts.webhookRecord],
  ['aCreatedWebhook', testing.aCreatedWebhook, contracts.createdWebhookRecord],
  ['aWebhookDelivery', testing.aWebhookDelivery, contracts.webhookDeliveryRecord],
  ['aSession', testing.aSession, contracts.sessionRecord],
];

test.each(builders)('the builder %s returns a record that fits its schema', (_, build, schema) => {
  expect(schema.parse(build())).toEqual(expect.anything());
});

test('every exported builder of a record is tested against the schema of the record', () => {
  // `anId` and `aSecret` return strings. `aWebhookEvent` returns the body of a webhook, which has no schema in the contracts.
  const noRecords = ['anId', 'aSecret', 'aWebhookEvent'];
  const named = Object.keys(testing).filter((name) => /^(an?|the)[A-Z]/.test(name) && !noRecords.includes(name));
  expect(builders.map(([name]) => name).sort()).toEqual(named.sort());
});

describe('a record that a builder for tests returns', () => {
  test('has the given properties and a new id', () => {
    const movement = testing.aMovement({ description: 'Rent', amountDecimal: '950.00' });
    expect(movement).toMatchObject({ description: 'Rent', amountDecimal: '950.00', type: 'expense' });
    expect(testing.aMovement().id > movement.id).toBe(true);
  });

  test.each([
    ['EUR', '12.50'],
    ['JPY', '1250'],
    ['KWD', '1.250'],
  ])('has an amount with as many decimal places as its currency %s has', (currencyCode, amountDecimal) => {
    expect(testing.aMovement({ currencyCode })).toMatchObject({ amountDecimal });
  });

  test('contains an expense and an income with the given amount and day if it is a transfer', () => {
    const transfer = testing.aTransfer({ amountDecimal: '300.00', occurredOn: '2026-01-05' });
    const common = { amountDecimal: '300.00', occurredOn: '2026-01-05', kind: 'transfer', categoryId: null };
    const [outgoing, incoming] = transfer.movements;
    expect(outgoing).toMatchObject({ ...common, type: 'expense', id: transfer.from.movementId });
    expect(incoming).toMatchObject({ ...common, type: 'income', id: transfer.to.movementId });
    expect([outgoing.transferGroupId, incoming.transferGroupId]).toEqual([transfer.groupId, transfer.groupId]);
  });

  test('has isEligible false if it is an archived cashbox', () => {
    expect(testing.aCashbox({ status: 'archived' })).toMatchObject({ isEligible: false });
  });
});

test('FinancialClient accepts the API key that the builder aSecret returns', () => {
  expect(new FinancialClient({ token: testing.aSecret() })).toBeInstanceOf(FinancialClient);
});
