import type pg from 'pg';

/** The number of integration clients of each added user. */
export const keysPerUser = 10;
const categoriesPerUser = 20;
const movementsPerUser = 20;

/** Returns SQL for a UUID whose first digit is `kind` and whose last digits are the decimal number. `number` is an SQL expression. */
const id = (kind: string, number: string) =>
  `('${kind}0000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;

/**
 * Adds users, each with a tracker, integration clients, categories, an account with one cashbox, and some movements.
 * @param owner a connection as the owner, so that PostgreSQL skips row-level security
 */
export async function addOtherUsers(owner: pg.ClientBase, count: number): Promise<void> {
  await owner.query('set session_replication_role = replica');
  const selectUsers = (columns: string) => `select ${columns} from generate_series(1, ${count}) n`;
  await owner.query(
    `insert into app.trackers (id, name, currency_code, time_zone)
     ${selectUsers(`${id('c', 'n')}, 'Tracker ' || n, 'EUR', 'Europe/Madrid'`)}`,
  );
  await owner.query(
    `insert into app.users (id, issuer, subject, email, active_tracker_id, default_tracker_id)
     ${selectUsers(`${id('5', 'n')}, 'urn:others', n::text, 'other' || n || '@example.org', ${id('c', 'n')}, ${id('c', 'n')}`)}`,
  );
  await owner.query(
    `insert into app.members (tracker_id, user_id, role) ${selectUsers(`${id('c', 'n')}, ${id('5', 'n')}, 'owner'`)}`,
  );
  await owner.query(
    `insert into app.credentials (id, user_id, lineage_id, kind, name, scopes, access_mode, secret_sha256, secret_last4, expires_at)
     select ${id('e', 'n')}, ${id('5', `1 + (n - 1) / ${keysPerUser}`)}, ${id('e', 'n')}, 'integration_client', 'Program ' || n,
       '{movements:read}', 'all_memberships', sha256(n::text::bytea), 'abcd', now() + interval '90 days'
     from generate_series(1, ${count * keysPerUser}) n`,
  );
  await owner.query(
    `insert into app.categories (id, scope, tracker_id, name, name_folded, kind)
     select 'cat_' || n, 'tracker', ${id('c', `1 + (n - 1) / ${categoriesPerUser}`)}, 'Category ' || n, 'category ' || n, 'any'
     from generate_series(1, ${count * categoriesPerUser}) n`,
  );
  await owner.query(
    `insert into app.categories_in_use (tracker_id, category_id)
     ${selectUsers(`${id('c', 'n')}, 'cat_unknown'`)}`,
  );
  await owner.query(
    `insert into app.accounts (tracker_id, id, name, type, currency_code)
     ${selectUsers(`${id('c', 'n')}, ${id('a', 'n')}, 'Account', 'checking', 'EUR'`)}`,
  );
  await owner.query(
    `insert into app.cashboxes (tracker_id, id, account_id, name, opening_balance, balance, expense_count)
     ${selectUsers(`${id('c', 'n')}, ${id('b', 'n')}, ${id('a', 'n')}, 'Cashbox', 100, 100 - ${movementsPerUser}, ${movementsPerUser}`)}`,
  );
  await owner.query(
    `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
       occurred_on, source_type, source_id)
     select ${id('c', 's')}, ${id('4', `s * ${movementsPerUser} + n`)}, 'expense', 'regular', 1, 'EUR', ${id('a', 's')},
       ${id('b', 's')}, 'cat_unknown', current_date - n, 'user', ${id('5', 's')}
     from generate_series(1, ${count}) s, generate_series(1, ${movementsPerUser}) n`,
  );
  await owner.query('set session_replication_role = origin');
}
