-- Keeps requests as fast in large books as in small ones. Every index costs each write of its rows, so each is here for
-- the one query that is named with it.

-- The planner takes columns for independent. An account belongs to one tracker, so who asks for both asks for the account;
-- without knowing that it expects a third of the rows there are, and one where a plan is made for any values.
create statistics app.movements_of_account (dependencies) on tracker_id, account_id from app.movements;
create statistics app.movements_of_category (dependencies) on tracker_id, category_id from app.movements;

-- GET /movements?cashboxId: one that is hardly used would else be looked for in the whole history.
create index movements_by_cashbox on app.movements (tracker_id, cashbox_id, occurred_on desc, created_at desc, id desc);
-- GET /movements?kind=transfer: many trackers have few of them, or none. Other movements do not pay for it.
create index movements_of_transfers on app.movements (tracker_id, occurred_on desc, created_at desc, id desc)
  where kind = 'transfer';
-- Whether a tracker plans with a category of somebody else, who is then seen to have it.
create index budget_lines_by_category on app.budget_lines (tracker_id, category_id, id);
-- GET /categories: the system's, in a table that holds those of everybody.
create index categories_of_system on app.categories (id) where scope = 'system';
-- POST /trackers/{trackerId}/members: the issuer is not known before the address is found.
create index users_by_address on app.users (lower(email));

-- As before, and each batch costs the same: it follows the index from the oldest key, and removes the rows it holds
-- where they lie. A join by key was planned for a third of the table, and read all of it for each batch.
create or replace function app.forget_idempotency_keys(p_older_than interval, p_batch integer) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with removed as (
    delete from app.idempotency_keys
    where ctid = any (array(
      select ctid from app.idempotency_keys
      where created_at < now() - p_older_than
      order by created_at
      limit p_batch
      for update skip locked))
    returning 1
  )
  select count(*)::integer from removed
$$;

-- Statistics are empty until somebody looks, and in books that hardly change nobody does for a long time.
analyze app.movements;
