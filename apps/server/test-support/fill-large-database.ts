import type pg from 'pg';

/** The ids of rows in a large database. */
export interface LargeDatabaseIds {
  readonly trackerId: string;
  /** Accounts 1 to 4, each with two cashboxes: `cashbox(1)` and `cashbox(5)` belong to `account(1)`. */
  account(number: number): string;
  cashbox(number: number): string;
  movement(number: number): string;
  transfer(number: number): string;
  budget(number: number): string;
  /** Categories 1 to 12 of the tracker. */
  category(number: number): string;
  /** A credential of the user. */
  readonly credentialId: string;
}

const movementCount = 60_000;
const otherUserCount = 1_200;

/**
 * Fills a database for one user with three trackers of 40,000, 15,000 and 5,000 movements. Adds 1,200 other users, each with a tracker,
 * credentials, categories, invitations and sessions. No table is so small that a sequential scan is the best plan. The plans are always
 * the same, because ids are numbered, no value is random, and ANALYZE samples every row.
 * @param client connected as the owner of every table
 */
export async function fillLargeDatabase(client: pg.Client, userId: string): Promise<LargeDatabaseIds> {
  // VACUUM marks a page as all-visible only if the COMMIT of its rows was flushed to disk. Index-only scans need all-visible pages.
  await client.query('set synchronous_commit = on');
  await addUsers(client, userId);
  await addAccountsAndCategories(client);
  await addMovements(client, userId);
  await addBudgets(client);
  await addKeysAndAudits(client, userId);
  await addWebhooks(client);
  // With this statistics target, ANALYZE samples up to 300,000 rows of a table. No table has so many, so it samples every row.
  await client.query('set default_statistics_target = 1000');
  await client.query('vacuum analyze');
  return {
    trackerId: idOf('c', 1),
    account: (number) => idOf('a', number),
    cashbox: (number) => idOf('b', number),
    movement: (number) => idOf('1', number),
    transfer: (number) => idOf('f', number),
    budget: (number) => idOf('d', number),
    category: (number) => `cat_1_${number}`,
    credentialId: idOf('e', 1),
  };
}

/** Returns an id such as `a0000000-0000-4000-8000-000000000001`. The letter names the table. */
function idOf(kind: string, number: number): string {
  return `${kind}0000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** Returns an SQL expression for the id that {@link idOf} returns. */
const sqlId = (kind: string, number: string) =>
  `('${kind}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/**
 * Adds trackers, and users with their memberships, invitations, credentials and sessions. Each of the users 4 to 1203 owns the tracker
 * with the same number; `userId` owns the trackers 1 to 3.
 */
async function addUsers(client: pg.Client, userId: string): Promise<void> {
  await client.query(
    `insert into app.trackers (id, name, currency_code, time_zone, created_at)
     select ${sqlId('c', 'n')}, 'Tracker ' || n, 'EUR', 'Europe/Madrid', now() - n * interval '1 hour'
     from generate_series(1, ${3 + otherUserCount}) n`,
  );
  await client.query(
    `insert into app.users (id, issuer, subject, email, active_tracker_id, default_tracker_id)
     select ${sqlId('5', 'n')}, u.issuer, n::text, 'other' || n || '@example.org', ${sqlId('c', 'n')}, ${sqlId('c', 'n')}
     from app.users u, generate_series(4, ${3 + otherUserCount}) n where u.id = $1`,
    [userId],
  );
  await client.query(
    `insert into app.members (tracker_id, user_id, role)
     select ${sqlId('c', 'n')}, case when n > 3 then ${sqlId('5', 'n')} else $1::uuid end, 'owner'
     from generate_series(1, ${3 + otherUserCount}) n`,
    [userId],
  );
  await client.query(
    `insert into app.members (tracker_id, user_id, role)
     select ${sqlId('c', '1')}, ${sqlId('5', 'n')}, 'editor' from generate_series(4, 8) n`,
  );
  await client.query(
    `insert into app.invitations (tracker_id, user_id, role, invited_by)
     select ${sqlId('c', '10 + n % 1100')}, ${sqlId('5', `4 + n * 7 % ${otherUserCount}`)}, 'viewer', ${sqlId('5', '10 + n % 1100')}
     from generate_series(1, 4000) n on conflict do nothing`,
  );
  await client.query(
    `insert into app.invitations (tracker_id, user_id, role, invited_by)
     select ${sqlId('c', 'n')}, $1, 'owner', ${sqlId('5', 'n')} from generate_series(10, 20) n`,
    [userId],
  );
  await client.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
     select ${sqlId('e', 'n')}, case when n > 5 then ${sqlId('5', `4 + n % ${otherUserCount}`)} else $1::uuid end,
       ${sqlId('e', 'n')}, 'integration_client', 'Program ' || n, '{movements:read}', 'all_memberships',
       sha256(n::text::bytea), 'abcd', '2100-01-01'
     from generate_series(1, ${2 * otherUserCount}) n`,
    [userId],
  );
  await client.query(
    `insert into identity.passwords (user_id, password_hash) select id, 'none' from app.users where id <> $1`,
    [userId],
  );
  await client.query(`insert into identity.totp (user_id) select id from app.users where id <> $1`, [userId]);
  await client.query(
    `insert into identity.sessions (id, user_id, amr, expires_at)
     select ${sqlId('6', 'n')}, ${sqlId('5', `4 + n % ${otherUserCount}`)}, '[]', '2100-01-01'
     from generate_series(1, 2000) n`,
  );
  await client.query(
    `insert into identity.refresh_tokens (token_sha256, session_id)
     select sha256(n::text::bytea), ${sqlId('6', '1 + n % 2000')} from generate_series(1, 4000) n`,
  );
}

/** Adds accounts, cashboxes and categories of every tracker, and user-wide categories of other users. Marks categories as in use. */
async function addAccountsAndCategories(client: pg.Client): Promise<void> {
  await client.query(
    `insert into app.accounts (tracker_id, id, name, type, currency_code)
     select ${sqlId('c', '1 + (n - 1) / 4')}, ${sqlId('a', 'n')}, 'Account ' || n, 'checking', 'EUR'
     from generate_series(1, ${4 * (3 + otherUserCount)}) n`,
  );
  await client.query(
    `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance)
     select ${sqlId('c', '1 + (n - 1) / 8')}, ${sqlId('b', 'n')}, ${sqlId('a', '1 + (n - 1) / 8 * 4 + (n - 1) % 4')},
       'Cashbox ' || n, 0, 0
     from generate_series(1, ${8 * (3 + otherUserCount)}) n`,
  );
  await client.query(
    `insert into app.categories (id, scope, tracker_id, name, name_folded, kind)
     select 'cat_' || t || '_' || n, 'tracker', ${sqlId('c', 't')}, 'Category ' || n, 'category ' || n, 'any'
     from generate_series(1, ${3 + otherUserCount}) t, generate_series(1, case when t <= 3 then 12 else 4 end) n`,
  );
  await client.query(
    `insert into app.categories (id, scope, user_id, name, name_folded, kind)
     select 'cat_of_' || u || '_' || n, 'user', ${sqlId('5', 'u')}, 'Own ' || n, 'own ' || n, 'any'
     from generate_series(4, ${3 + otherUserCount}) u, generate_series(1, 3) n`,
  );
  await client.query(
    `insert into app.categories_in_use (tracker_id, category_id)
     select tracker_id, id from app.categories where scope = 'tracker'
     union all select id, 'cat_unknown' from app.trackers
     union all select ${sqlId('c', '1')}, id from app.categories where id in ('cat_of_4_1', 'cat_of_5_1', 'cat_of_6_1')`,
  );
}

/**
 * Adds movements. Every fiftieth pair of movements is a transfer. The newest movement is dated 31 December 2025, and the oldest is about
 * three years older.
 */
async function addMovements(client: pg.Client, userId: string): Promise<void> {
  const trackerOf = 'case when n <= 40000 then 1 when n <= 55000 then 2 else 3 end';
  const isLeg = 'n / 2 % 50 = 0';
  await client.query(
    `insert into app.transfers (tracker_id, id)
     select distinct ${sqlId('c', trackerOf)}, ${sqlId('f', 'n / 2')} from generate_series(2, ${movementCount - 1}) n where ${isLeg}`,
  );
  await client.query(
    `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, description, merchant_name, transfer_group_id, source_type, source_id, created_at)
     select ${sqlId('c', 't')}, ${sqlId('1', 'n')},
       case when leg then case n % 2 when 0 then 'expense' else 'income' end
         when n % 11 = 0 then 'income' else 'expense' end,
       case when leg then 'transfer' else 'regular' end, 1 + n % 99, 'EUR',
       ${sqlId('a', '(t - 1) * 4 + 1 + n % 4')}, ${sqlId('b', '(t - 1) * 8 + 1 + n % 8')},
       case when leg then null when n % 1000 = 1 then 'cat_unknown' else 'cat_' || t || '_' || 1 + n % 12 end,
       date '2025-12-31' - n % 1095, 'Purchase ' || n, 'Shop ' || n % 97,
       case when leg then ${sqlId('f', 'n / 2')} end, 'user', $1, timestamptz '2025-12-31' - n * interval '1 minute'
     from generate_series(2, ${movementCount - 1}) n,
       lateral (select ${trackerOf} as t, ${isLeg} as leg) about`,
    [userId],
  );
  await client.query(
    `update app.cashboxes c set balance = m.total
     from (select cashbox_id, sum(case type when 'income' then amount else -amount end) as total
       from app.movements group by cashbox_id) m
     where m.cashbox_id = c.id`,
  );
}

/**
 * Adds five budgets to every tracker, with four lines each. In the first tracker, three lines of each budget use categories of other
 * users.
 */
async function addBudgets(client: pg.Client): Promise<void> {
  await client.query(
    `insert into app.budgets (tracker_id, id, name, mode, currency_code, period_start, period_end)
     select ${sqlId('c', '1 + (n - 1) / 5')}, ${sqlId('d', 'n')}, 'Budget ' || n, 'tracking', 'EUR', '2025-11-01', '2025-11-30'
     from generate_series(1, ${5 * (3 + otherUserCount)}) n`,
  );
  await client.query(
    `insert into app.budget_lines (tracker_id, id, budget_id, category_id, type, planned)
     select b.tracker_id, ${sqlId('9', 'row_number() over ()')}, b.id, u.category_id, 'expense', 100
     from app.budgets b cross join lateral (
       select category_id from app.categories_in_use u where u.tracker_id = b.tracker_id and u.category_id like 'cat\\_%\\_%'
       order by category_id desc limit 4) u`,
  );
}

/** Adds idempotency keys and audit rows. */
async function addKeysAndAudits(client: pg.Client, userId: string): Promise<void> {
  await client.query(
    `insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, data, request_id, created_at)
     select ${sqlId('c', '1')}, 'user:' || $1::text, 'key ' || n, true, sha256(n::text::bytea), 'createMovement',
       json_build_object('description', repeat('x', 200)), ${sqlId('7', 'n')}, now() - n * interval '1 hour'
     from generate_series(1, 20000) n`,
    [userId],
  );
  await client.query(
    `insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id)
     select ${sqlId('c', '1')}, ${sqlId('8', 'n')}, $1, 'movement.created', 'movement', cast(${sqlId('1', 'n')} as text), ${sqlId('7', 'n')}
     from generate_series(1, 20000) n`,
    [userId],
  );
  // Assigns sequence numbers to almost all audit events. Without this call, a request would do this with three statements for
  // each event, and the plans of all these statements would be captured.
  await client.query(`select app.number_events(${sqlId('c', '1')}, 19995)`);
  await client.query(
    `insert into app.event_heads (tracker_id, sequence, hash, floor_sequence, floor_hash)
     select id, 0, app.genesis_hash(id), 0, app.genesis_hash(id) from app.trackers on conflict do nothing`,
  );
  await client.query(
    `insert into app.user_audit_events (user_id, id, action, resource_type, resource_id, request_id)
     select $1, ${sqlId('8', 'n')}, 'api_key.created', 'credential', n::text, ${sqlId('7', 'n')}
     from generate_series(1, 5000) n`,
    [userId],
  );
}

/** Adds three paused endpoints to each tracker, with ten deliveries each. */
async function addWebhooks(client: pg.Client): Promise<void> {
  await client.query(
    `insert into app.webhook_endpoints (tracker_id, id, url, event_types, payload, exclude_own_writes, max_in_flight, status,
       owner_user_id, cursor_sequence, secret_last4)
     select m.tracker_id, ${sqlId('5', 'row_number() over (order by m.tracker_id, n)')}, 'https://hooks.example/' || n, '{*}',
       'reference', false, 4, 'paused', m.user_id, 0, 'last'
     from app.members m cross join generate_series(1, 3) n where m.role = 'owner'`,
  );
  await client.query(
    `insert into app.webhook_deliveries (tracker_id, endpoint_id, event_id, id, sequence, type, status, completed_at)
     select e.tracker_id, e.id, ${sqlId('8', 'n')}, ${sqlId('6', 'n')}, n, 'movement.created',
       case when n > 8 then 'pending' else 'succeeded' end, case when n <= 8 then now() end
     from app.webhook_endpoints e cross join generate_series(1, 10) n order by e.id, n`,
  );
}
