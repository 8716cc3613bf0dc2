-- W3: GET /balances. Reads the balance of every cashbox.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
select a.id as account_id, a.name as account_name, c.id as cashbox_id, c.name as cashbox_name, a.currency_code, c.balance
from app.cashboxes c join app.accounts a on a.tracker_id = c.tracker_id and a.id = c.account_id
where c.tracker_id = :tracker_id and c.status = 'active' and a.status = 'active'
order by a.created_at, a.id, c.created_at, c.id;
commit;
