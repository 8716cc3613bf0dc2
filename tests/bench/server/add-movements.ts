import type pg from 'pg';

/** The tracker that gets the movements, and the integration client that is their source. */
export interface BooksToFill {
  readonly trackerId: string;
  /** The hash of the secret of the integration client, in hexadecimal. It identifies the client. */
  readonly secretSha256: string;
  readonly categoryIds: readonly string[];
  readonly cashboxCount: number;
}

/**
 * The maximum number of rows that a statement inserts. It keeps each statement short: if the run is aborted, PostgreSQL still completes
 * the current statement.
 */
const rowsMax = 250_000;

/**
 * Inserts the movements `first` to `last`, evenly distributed over the cashboxes. Then updates balances and counts.
 * @param owner a connection as the owner of the embedded database, a superuser, so that PostgreSQL skips row-level security
 * @param range.daysBack the age in days of movement number `n`, in SQL
 */
export async function addMovements(
  owner: pg.ClientBase,
  books: BooksToFill,
  range: { readonly first: number; readonly last: number; readonly daysBack: string },
): Promise<void> {
  const { first, last, daysBack } = range;
  await owner.query('set session_replication_role = replica');
  for (let from = first; from <= last; from += rowsMax) {
    await owner.query(
      `insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id,
         occurred_on, description, merchant_name, source_type, source_id, created_at, updated_at)
       select c.tracker_id, ('10000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid,
         case when n % 5 = 0 then 'income' else 'expense' end, 'regular', (100 + n * 7919 % 9900)::numeric / 100,
         'EUR', c.account_id, c.id, ($2::text[])[(1 + n / 7 % cardinality($2::text[]))::integer],
         current_date - (${daysBack})::integer, 'Purchase ' || n, 'Shop ' || n % 97, 'integration_client', k.id,
         now() - n * interval '1 second', now() - n * interval '1 second'
       from generate_series($4::bigint, $5::bigint) n
       join app.cashboxes c on c.tracker_id = $1
         and c.id = ('00000000-0000-4000-8000-' || lpad((1 + n % $6::bigint)::text, 12, '0'))::uuid
       join app.credentials k on k.secret_sha256 = decode($3, 'hex')`,
      [
        ...[books.trackerId, books.categoryIds, books.secretSha256],
        ...[from, Math.min(last, from + rowsMax - 1), books.cashboxCount],
      ],
    );
  }
  await owner.query('set session_replication_role = origin');
  await owner.query(
    `update app.cashboxes c
     set balance = c.opening_balance + m.total, expense_count = m.expenses, income_count = m.incomes
     from (
       select cashbox_id, sum(case when type = 'income' then amount else -amount end) as total,
         count(*) filter (where type = 'expense') as expenses, count(*) filter (where type = 'income') as incomes
       from app.movements where tracker_id = $1 group by cashbox_id
     ) m
     where c.tracker_id = $1 and c.id = m.cashbox_id`,
    [books.trackerId],
  );
}
