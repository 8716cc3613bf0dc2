-- W5: PATCH /movements/{movementId}. Corrects a movement, and changes the balance by the difference.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
\set movement random(1, 1600)
\set cents random(100, 9999)
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, etag, data, request_id)
values (:tracker_id, 'lineage:' || :lineage_id::text, gen_random_uuid()::text, true, :fingerprint::bytea, 'correctMovement', '"2"', :movement_answer::json, gen_random_uuid());
select type as movement_type, cashbox_id, amount as amount_before from app.movements where tracker_id = :tracker_id and id = ('10000000-0000-4000-8000-' || lpad(:movement::text, 12, '0'))::uuid for update \gset
update app.movements set amount = :cents::numeric / 100, description = 'Weekly shopping', version = version + 1, updated_at = now() where tracker_id = :tracker_id and id = ('10000000-0000-4000-8000-' || lpad(:movement::text, 12, '0'))::uuid
returning *;
update app.cashboxes set balance = balance + (:cents::numeric / 100 - :amount_before::numeric) * case when :movement_type::text = 'income' then 1 else -1 end where tracker_id = :tracker_id and id = :cashbox_id;
insert into app.audit_events (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id)
values (:tracker_id, uuidv7(), :user_id, :credential_id, 'movement.corrected', 'movement', gen_random_uuid()::text, :change::jsonb, gen_random_uuid());
commit;
