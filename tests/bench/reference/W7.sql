-- W7: GET /budgets/{budgetId}. Reads a budget of 20 lines, and the totals of its period by type and category.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
select id, name, mode, currency_code as budget_currency, period_start, period_end, created_at, updated_at from app.budgets where tracker_id = :tracker_id and id = :budget_id \gset
select id, category_id, type, planned, note, created_at from app.budget_lines where tracker_id = :tracker_id and budget_id = :budget_id order by created_at, id;
select type, category_id, sum(amount) as total from app.movements
where tracker_id = :tracker_id and kind = 'regular' and currency_code = :budget_currency and occurred_on between :period_start::date and :period_end::date
group by type, category_id;
commit;
