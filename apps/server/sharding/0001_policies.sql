-- Policies for tables that are spread over machines: without subqueries, which Citus refuses, and without functions that
-- read tables, which it cannot run beside the rows. They compare with the context alone. That its caller is a member of the
-- tracker is asked where the context is entered: app.enter_request names no tracker but one of the caller's, under the lock
-- that a change of the membership waits for. Without a context no row is seen, as before.
alter policy accounts_inside on app.accounts
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy cashboxes_inside on app.cashboxes
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy transfers_inside on app.transfers
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy movements_inside on app.movements
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy budgets_inside on app.budgets
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy budget_lines_inside on app.budget_lines
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy audit_events_inside on app.audit_events
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy idempotency_keys_of_principal on app.idempotency_keys
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid
    and principal_root = nullif(current_setting('app.principal_root', true), ''))
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid
    and principal_root = nullif(current_setting('app.principal_root', true), ''));

-- Two rules of categories need another table and are left to the statements, which ask for them too: whose user-wide
-- categories a tracker shows (those in use there), and that a category in use, or a parent, is one that the caller sees.
-- So inside a tracker row-level security keeps the categories of other trackers apart, and no longer those of other users.
alter policy categories_in_use_inside on app.categories_in_use
  using (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy categories_in_use_added on app.categories_in_use
  with check (tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid);
alter policy categories_seen on app.categories
  using (scope = 'system'
    or tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid
    or user_id = nullif(current_setting('app.user_id', true), '')::uuid
    or (scope = 'user' and nullif(current_setting('app.tracker_id', true), '') is not null));
alter policy categories_created on app.categories
  with check ((scope = 'tracker' and tracker_id = nullif(current_setting('app.tracker_id', true), '')::uuid)
    or (scope = 'user' and user_id = nullif(current_setting('app.user_id', true), '')::uuid));
