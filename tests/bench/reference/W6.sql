-- W6: POST /movements, replay of a key. Reads the stored response of an idempotency key.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
\set number random(0, 159)
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
select fingerprint, etag, data from app.idempotency_keys where tracker_id = :tracker_id and principal_root = 'lineage:' || :lineage_id::text and key = 'replayed-' || :number::text;
commit;
