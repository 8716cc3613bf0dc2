import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson } from '@centavo/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type MovementFixture, startMovementFixture } from '../../../test-support/start-movement-fixture.js';
import type { CallOptions } from '../../../test-support/start-test-server.js';

type Json = Record<string, unknown>;

/**
 * The fields that the state digest covers. Existing events keep their digests, so a later version may add a field to a record only if
 * the field does not change the digests of records without a value for it.
 * @source docs/additions.md, section 4.1
 */
const stateFields: Readonly<Record<string, string>> = {
  movement:
    'id trackerId type kind amountDecimal currencyCode accountId cashboxId categoryId occurredOn description merchantName ' +
    'transferGroupId externalId source version voidedAt createdAt updatedAt',
  transfer: 'groupId trackerId amountDecimal currencyCode occurredOn description from to movements voidedAt createdAt',
  category: 'id name kind scope trackerId parentId isUnknown status createdAt updatedAt',
  account: 'id trackerId name type currencyCode status createdAt updatedAt',
  cashbox: 'id accountId trackerId name currencyCode status openingBalanceDecimal createdAt updatedAt',
  tracker: 'id name currencyCode timeZone createdAt updatedAt',
  budget: 'id trackerId name mode currencyCode periodStart periodEnd createdAt',
  budget_line: 'id budgetId categoryId type plannedDecimal note createdAt',
};

let fixture: MovementFixture;

beforeAll(async () => {
  fixture = await startMovementFixture();
});

afterAll(() => fixture.close());

async function call(name: Parameters<MovementFixture['server']['call']>[0], options: CallOptions): Promise<Json> {
  const { error, data, headers } = await fixture.server.call(name, { token: fixture.user.token, ...options });
  if (error !== undefined) throw new Error(`${name}: ${error.code} ${JSON.stringify(error.details)}`);
  return Array.isArray(data) ? { rows: data } : { etag: headers.get('etag'), ...(data as unknown as Json) };
}

function digest(salt: Buffer, value: unknown): string {
  return createHash('sha256').update(salt).update(canonicalJson(value)).digest('hex');
}

/**
 * Expects that the last event of a record has the given action and change, and the digests of `record` and `change`. If `record` is
 * null, the event must have no state digest. Without `change`, the event must have no change and no digest of a change.
 */
async function expectLastEvent(expected: {
  type: string;
  id: unknown;
  action: string;
  record: Json | null;
  change?: Json;
}) {
  const { rows } = await fixture.client.query(
    `select action, change, salt, encode(change_digest, 'hex') as change_digest, encode(state_digest, 'hex') as state_digest
     from app.recorded_events where resource_type = $1 and resource_id = $2 order by insert_order desc limit 1`,
    [expected.type, expected.id],
  );
  const [event] = rows;
  const { change = null } = expected;
  const { etag: _, ...record } = expected.record ?? {};
  const names = stateFields[expected.type]?.split(' ') ?? [];
  const state = Object.fromEntries(names.map((name) => [name, record[name]]));
  expect({ ...event, salt: event.salt.length }).toEqual({
    action: expected.action,
    change,
    salt: 16,
    change_digest: change === null ? null : digest(event.salt, change),
    state_digest: expected.record === null ? null : digest(event.salt, state),
  });
}

it('each write of a movement records the digest of the returned movement', async () => {
  const { accountId } = fixture.tracker;
  const created = await call('createMovement', {
    body: fixture.expense({ amountDecimal: '7', merchantName: 'Café «Zürich» 🍰', externalId: 'bank 1' }),
  });
  await expectLastEvent({ type: 'movement', id: created.id, action: 'movement.created', record: created });
  const corrected = await call('correctMovement', {
    params: { movementId: String(created.id) },
    ifMatch: String(created.etag),
    body: { amountDecimal: '8.5', description: 'Lunch' },
  });
  await expectLastEvent({
    type: 'movement',
    id: created.id,
    action: 'movement.corrected',
    record: corrected,
    change: { amountDecimal: ['7.00', '8.50'], description: [null, 'Lunch'] },
  });
  const params = { movementId: String(created.id) };
  const voided = await call('voidMovement', { params, ifMatch: String(corrected.etag) });
  const change = { voidedAt: [null, voided.voidedAt] };
  await expectLastEvent({ type: 'movement', id: created.id, action: 'movement.voided', record: voided, change });
  expect(await call('getMovement', { params })).toEqual(voided);

  const bulk = await call('createMovements', {
    idempotencyKey: randomUUID(),
    body: { movements: [fixture.expense(), { type: 'income', amountDecimal: '1.20', accountId }] },
  });
  const independent = await call('createMovements', {
    body: { mode: 'independent', movements: [{ ...fixture.expense(), idempotencyKey: randomUUID() }] },
  });
  const results = independent.rows as { movement: Json }[];
  for (const record of [...(bulk.rows as Json[]), ...results.map(({ movement }) => movement)]) {
    const read = await call('getMovement', { params: { movementId: String(record.id) } });
    await expectLastEvent({ type: 'movement', id: record.id, action: 'movement.created', record: read });
  }
});

it('each write of a transfer records the digest of the returned transfer', async () => {
  const other = await fixture.server.newAccount(fixture.user, fixture.tracker.id, { name: 'Savings' });
  const created = await call('createTransfer', {
    body: { amountDecimal: '9', fromAccountId: fixture.tracker.accountId, toAccountId: other.id, description: 'Save' },
  });
  const id = created.groupId;
  await expectLastEvent({ type: 'transfer', id, action: 'transfer.created', record: created });
  const params = { groupId: String(id) };
  const voided = await call('voidTransfer', { params, ifMatch: String(created.etag) });
  const change = { voidedAt: [null, voided.voidedAt] };
  await expectLastEvent({ type: 'transfer', id, action: 'transfer.voided', record: voided, change });
  expect(await call('getTransfer', { params })).toEqual(voided);
});

it('each write of an account, cashbox or tracker records a digest without the fields that depend on other records, such as isEligible', async () => {
  const account = await call('createAccount', {
    body: { name: 'Card', type: 'credit_card', cashboxes: [{ name: 'Limit', openingBalanceDecimal: '-20.5' }] },
  });
  await expectLastEvent({ type: 'account', id: account.id, action: 'account.created', record: account });
  const [first] = account.cashboxes as Json[];
  const firstState = { ...first, openingBalanceDecimal: '-20.50' };
  await expectLastEvent({ type: 'cashbox', id: first?.id, action: 'cashbox.created', record: firstState });
  const params = { accountId: String(account.id) };
  const second = await call('createCashbox', { params, body: { name: 'Second' } });
  const secondState = { ...second, openingBalanceDecimal: '0.00' };
  await expectLastEvent({ type: 'cashbox', id: second.id, action: 'cashbox.created', record: secondState });
  await call('createMovement', { body: fixture.expense({ accountId: account.id, cashboxId: first?.id }) });
  const renamed = await call('updateCashbox', { params: { cashboxId: String(first?.id) }, body: { name: 'Main' } });
  await expectLastEvent({
    type: 'cashbox',
    id: first?.id,
    action: 'cashbox.updated',
    record: { ...renamed, openingBalanceDecimal: '-20.50' },
    change: { name: ['Limit', 'Main'] },
  });
  const archived = await call('updateAccount', { params, body: { status: 'archived' } });
  await expectLastEvent({
    type: 'account',
    id: account.id,
    action: 'account.updated',
    record: archived,
    change: { status: ['active', 'archived'] },
  });
  const tracker = await call('updateTracker', { params: { trackerId: fixture.tracker.id }, body: { timeZone: 'UTC' } });
  await expectLastEvent({
    type: 'tracker',
    id: tracker.id,
    action: 'tracker.updated',
    record: tracker,
    change: { timeZone: ['Europe/Madrid', 'UTC'] },
  });
});

it('each write of a category, a budget or a budget line records a digest of the record', async () => {
  const category = await call('createCategory', { body: { name: 'Food' } });
  await expectLastEvent({ type: 'category', id: category.id, action: 'category.created', record: category });
  const budget = await call('createBudget', {
    body: {
      name: 'June',
      mode: 'tracking',
      periodStart: '2026-06-01',
      periodEnd: '2026-06-30',
      lines: [{ categoryId: category.id, plannedDecimal: '10' }],
    },
  });
  await expectLastEvent({ type: 'budget', id: budget.id, action: 'budget.created', record: budget });
  const [line] = budget.lines as Json[];
  await expectLastEvent({ type: 'budget_line', id: line?.id, action: 'budget_line.added', record: line ?? {} });
  const added = await call('addBudgetLine', {
    params: { budgetId: String(budget.id) },
    body: { categoryId: 'cat_unknown', plannedDecimal: '3.5', type: 'income', note: 'Later' },
  });
  await expectLastEvent({ type: 'budget_line', id: added.id, action: 'budget_line.added', record: added });
  await expectLastEvent({ type: 'budget', id: budget.id, action: 'budget.created', record: budget });
});

it('the events of members contain the changed role and no state digest', async () => {
  const user = await fixture.server.newUser();
  const params = { trackerId: fixture.tracker.id };
  await call('addMember', { params, body: { email: user.email, role: 'viewer' } });
  const member = { type: 'member', id: user.userId, record: null };
  await expectLastEvent({ ...member, action: 'member.invited', change: { role: [null, 'viewer'] } });
  await call('acceptInvitation', { token: user.token, params });
  await expectLastEvent({ ...member, action: 'member.added', change: { role: [null, 'viewer'] } });
  const ofUser = { ...params, userId: user.userId };
  await call('changeMemberRole', { params: ofUser, body: { role: 'editor' } });
  await expectLastEvent({ ...member, action: 'member.role_changed', change: { role: ['viewer', 'editor'] } });
  await call('removeMember', { params: ofUser });
  await expectLastEvent({ ...member, action: 'member.removed', change: { role: ['editor', null] } });
});
