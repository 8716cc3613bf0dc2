import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTwoTrackers, ownerColumns, type TwoTrackers } from '../../../test-support/open-two-trackers.js';
import type { SeededTracker } from '../../../test-support/seed-tracker.js';

const tables = Object.keys(ownerColumns);

let trackers: TwoTrackers;
let ours: SeededTracker;
let theirs: SeededTracker;
let asApp: TwoTrackers['asApp'];
let outcomeOf: TwoTrackers['outcomeOf'];

beforeAll(async () => {
  trackers = await openTwoTrackers();
  ({ ours, theirs, asApp, outcomeOf } = trackers);
});

afterAll(() => trackers.close());

const refused = '42501';

describe('inserts by a member of another tracker', () => {
  const foreignRows: readonly [table: string, sql: string, values: () => unknown[]][] = [
    [
      'accounts',
      `insert into app.accounts (tracker_id, id, name, type, currency_code) values ($1, $2, 'x', 'cash', 'EUR')`,
      () => [theirs.trackerId, randomUUID()],
    ],
    [
      'audit_events',
      `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
       values ($1, $2, $3, 'x', 'x', 'x', $2)`,
      () => [theirs.trackerId, randomUUID(), ours.userId],
    ],
    [
      'budget_lines',
      `insert into app.budget_lines (tracker_id, id, budget_id, category_id, type, planned) values ($1, $2, $3, $4, 'income', 1)`,
      () => [theirs.trackerId, randomUUID(), theirs.budgetId, theirs.categoryId],
    ],
    [
      'budgets',
      `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
       values ($1, $2, 'x', 'tracking', 'EUR', '2026-01-01', '2026-01-31')`,
      () => [theirs.trackerId, randomUUID()],
    ],
    [
      'cashboxes',
      `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance) values ($1, $2, $3, 'x', 0, 0)`,
      () => [theirs.trackerId, randomUUID(), theirs.accountId],
    ],
    [
      'categories',
      `insert into app.categories (id, scope, tracker_id, name, name_folded, kind) values ('cat_x', 'tracker', $1, 'x', 'x', 'any')`,
      () => [theirs.trackerId],
    ],
    [
      'categories_in_use, if only the category belongs to the foreign tracker',
      'insert into app.categories_in_use (tracker_id, category_id) values ($1, $2)',
      () => [ours.trackerId, theirs.categoryId],
    ],
    [
      'credentials',
      `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
       values ($1, $2, $1, 'secure', 'x', '{movements:read}', 'all_managed', sha256('x'), 'abcd', now())`,
      () => [randomUUID(), theirs.userId],
    ],
    [
      'event_heads',
      'insert into app.event_heads (tracker_id, sequence, hash, floor_sequence, floor_hash) values ($1, 1, $2, 0, $2)',
      () => [theirs.trackerId, Buffer.alloc(32)],
    ],
    [
      'events',
      `insert into app.events (tracker_id, sequence, hash, id, occurred_at, user_id, action, resource_type, resource_id, request_id)
       values ($1, 2, $2, $3, now(), $4, 'x', 'x', 'x', $3)`,
      () => [theirs.trackerId, Buffer.alloc(32), randomUUID(), ours.userId],
    ],
    [
      'idempotency_keys',
      `insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id)
       values ($1, $2, 'x', true, sha256('x'), 'x', '{}', $3)`,
      () => [ours.trackerId, theirs.principalRoot, randomUUID()],
    ],
    [
      'invitations, if the member invites themselves',
      `insert into app.invitations (tracker_id, user_id, role, invited_by) values ($1, $2, 'owner', $2)`,
      () => [theirs.trackerId, ours.userId],
    ],
    [
      'members, if the member adds themselves',
      `insert into app.members (tracker_id, user_id, role) values ($1, $2, 'owner')`,
      () => [theirs.trackerId, ours.userId],
    ],
    [
      'movements',
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, source_type, source_id)
       values ($1, $2, 'expense', 'regular', 1, 'EUR', $3, $4, $5, '2026-01-01', 'user', $6)`,
      () => [theirs.trackerId, randomUUID(), theirs.accountId, theirs.cashboxId, theirs.categoryId, ours.userId],
    ],
    [
      'trackers',
      `insert into app.trackers (id, name, currency_code, time_zone) values ($1, 'x', 'EUR', 'UTC')`,
      () => [randomUUID()],
    ],
    ['transfers', 'insert into app.transfers (tracker_id, id) values ($1, $2)', () => [theirs.trackerId, randomUUID()]],
    [
      'user_audit_events',
      `insert into app.user_audit_events (user_id, id, action, resource_type, resource_id, request_id)
       values ($1, $2, 'x', 'x', 'x', $2)`,
      () => [theirs.userId, randomUUID()],
    ],
    [
      'users',
      `insert into app.users (id, issuer, subject) values ($1::uuid, 'urn:test', $1::text)`,
      () => [randomUUID()],
    ],
    [
      'webhook_deliveries',
      `insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, type) values ($1, $2, $2, 'x')`,
      () => [theirs.trackerId, randomUUID()],
    ],
    [
      'webhook_endpoints',
      `insert into app.webhook_endpoints (tracker_id, id, url, event_types, payload, exclude_own_writes, max_in_flight,
         owner_user_id, cursor_sequence, secret_last4)
       values ($1, $2, 'https://example.org/', '{*}', 'reference', false, 4, $3, 1, 'abcd')`,
      () => [theirs.trackerId, randomUUID(), ours.userId],
    ],
  ];

  it('are tested for every table', () => {
    expect(foreignRows.map(([title]) => title.split(',')[0])).toEqual([...tables].sort());
  });

  it.each(foreignRows)('are refused for %s', async (_, sql, values) => {
    expect(await asApp(ours, () => outcomeOf(sql, values()))).toBe(refused);
  });

  it('are refused for a movement in the member’s own tracker that names an account, cashbox or category of a foreign tracker', async () => {
    const insert = `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id,
        category_id, occurred_on, source_type, source_id)
      values ($1, $2, 'expense', 'regular', 1, 'EUR', $3, $4, $5, '2026-01-01', 'user', $6)`;
    const missingParent = '23503';
    const own = [ours.accountId, ours.cashboxId, ours.categoryId];
    const foreign = [theirs.accountId, theirs.cashboxId, theirs.categoryId];
    for (const swapped of [[0, 1], [1], [2]]) {
      const references = own.map((id, index) => (swapped.includes(index) ? foreign[index] : id));
      const outcome = await asApp(ours, () =>
        outcomeOf(insert, [ours.trackerId, randomUUID(), ...references, ours.userId]),
      );
      expect(outcome).toBe(missingParent);
    }
  });
});
