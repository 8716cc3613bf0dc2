import { randomBytes, randomUUID } from 'node:crypto';
import type pg from 'pg';

/** A tracker with an owner and one row in every tenant table. */
export interface SeededTracker {
  userId: string;
  trackerId: string;
  accountId: string;
  cashboxId: string;
  categoryId: string;
  movementId: string;
  budgetId: string;
  principalRoot: string;
}

/**
 * Inserts a new tracker, with one row in every tenant table.
 * @param client connected as a superuser, who bypasses row-level security
 */
export async function seedTracker(client: pg.Client, name: string): Promise<SeededTracker> {
  const [userId, trackerId, accountId, cashboxId, movementId, transferId, budgetId] = Array.from({ length: 7 }, () =>
    randomUUID(),
  ) as [string, string, string, string, string, string, string];
  const categoryId = `cat_${name}`;
  const principalRoot = `user:${userId}`;
  const run = (sql: string, values: unknown[]) => client.query(sql, values);
  await run('insert into app.trackers (id, name, currency_code, time_zone) values ($1, $2, $3, $4)', [
    trackerId,
    name,
    'EUR',
    'Europe/Madrid',
  ]);
  await run(
    `insert into app.users (id, issuer, subject, email, active_tracker_id, default_tracker_id)
     values ($1::uuid, 'urn:test', $1::text, $2, $3, $3)`,
    [userId, `${name}@example.org`, trackerId],
  );
  await run(`insert into app.members (tracker_id, user_id, role) values ($1, $2, 'owner')`, [trackerId, userId]);
  await run(
    `with guest as (insert into app.users (id, issuer, subject) values ($3::uuid, 'urn:test', $3::text) returning id)
     insert into app.invitations (tracker_id, user_id, role, invited_by) select $1, id, 'viewer', $2 from guest`,
    [trackerId, userId, randomUUID()],
  );
  await run(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
     values ($1, $2, $1, 'secure', $3, '{movements:read}', 'all_managed', $4, 'abcd', now() + interval '1 day')`,
    [randomUUID(), userId, name, randomBytes(32)],
  );
  await run(
    `insert into app.categories (id, scope, tracker_id, name, name_folded, kind) values ($1, 'tracker', $2, $3, $3, 'any')`,
    [categoryId, trackerId, name],
  );
  await run(`insert into app.categories_in_use (tracker_id, category_id) values ($1, $2)`, [trackerId, categoryId]);
  await run(
    `insert into app.accounts (tracker_id, id, name, type, currency_code) values ($1, $2, $3, 'checking', 'EUR')`,
    [trackerId, accountId, name],
  );
  await run(
    `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance) values ($1, $2, $3, $4, 0, 0)`,
    [trackerId, cashboxId, accountId, name],
  );
  await run('insert into app.transfers (tracker_id, id) values ($1, $2)', [trackerId, transferId]);
  await run(
    `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, source_type, source_id)
     values ($1, $2, 'expense', 'regular', 1, 'EUR', $3, $4, $5, '2026-01-01', 'user', $6)`,
    [trackerId, movementId, accountId, cashboxId, categoryId, userId],
  );
  await run(
    `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
     values ($1, $2, $3, 'tracking', 'EUR', '2026-01-01', '2026-01-31')`,
    [trackerId, budgetId, name],
  );
  await run(
    `insert into app.budget_lines (tracker_id, id, budget_id, category_id, type, planned) values ($1, $2, $3, $4, 'expense', 1)`,
    [trackerId, randomUUID(), budgetId, categoryId],
  );
  await run(
    `insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id)
     values ($1, $2, 'k', true, $3, 'createMovement', '{}', $4)`,
    [trackerId, principalRoot, randomBytes(32), randomUUID()],
  );
  await run(
    `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
     values ($1, $2, $3, 'seeded', 'tracker', $4, $2)`,
    [trackerId, randomUUID(), userId, trackerId],
  );
  const hash = randomBytes(32);
  await run(
    `insert into app.events (tracker_id, sequence, hash, id, occurred_at, user_id, action, resource_type, resource_id, request_id)
     values ($1, 1, $2, $3, now(), $4, 'seeded', 'tracker', $5, $3)`,
    [trackerId, hash, randomUUID(), userId, trackerId],
  );
  await run(
    'insert into app.event_heads (tracker_id, sequence, hash, floor_sequence, floor_hash) values ($1, 1, $2, 0, $2)',
    [trackerId, hash],
  );
  const endpointId = randomUUID();
  await run(
    `insert into app.webhook_endpoints (tracker_id, id, url, event_types, payload, exclude_own_writes, max_in_flight, status,
       owner_user_id, cursor_sequence, secret_last4)
     values ($1, $2, 'https://example.org/', '{*}', 'reference', false, 4, 'paused', $3, 1, 'abcd')`,
    [trackerId, endpointId, userId],
  );
  await run(
    `insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, type) values ($1, $2, $3, 'webhook.test')`,
    [trackerId, endpointId, randomUUID()],
  );
  await run(
    `insert into app.user_audit_events (user_id, id, action, resource_type, resource_id, request_id)
     values ($1, $2, 'seeded', 'user', $3, $2)`,
    [userId, randomUUID(), userId],
  );
  return { userId, trackerId, accountId, cashboxId, categoryId, movementId, budgetId, principalRoot };
}
