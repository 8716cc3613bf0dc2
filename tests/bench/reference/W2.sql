-- W2: GET /movements. Reads the newest 50 movements of an account.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
\set account random(1, 4)
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
select * from app.movements where tracker_id = :tracker_id and account_id = ('00000000-0000-4000-9000-' || lpad(:account::text, 12, '0'))::uuid
order by occurred_on desc, created_at desc, id desc limit 50;
commit;
