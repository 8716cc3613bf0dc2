-- W8: centavo import. Records 100 rows of a statement in one transaction: movements, changes of their balances, keys with their
-- responses, and audit rows.
-- The first statements authenticate a caller as the server does. A credential and its rotations have the same `lineage_id`, and therefore
-- the same idempotency keys.
\set cashbox random(1, 16)
\set account 1 + (:cashbox - 1) % 4
\set cents random(100, 9999)
begin;
select id as credential_id, user_id, lineage_id from app.credentials where secret_sha256 = :secret_sha256::bytea and revoked_at is null and expires_at > now() \gset
select role as member_role from app.members where tracker_id = :tracker_id and user_id = :user_id \gset
select set_config('role', 'centavo_app', true), set_config('app.user_id', :user_id::text, true), set_config('app.tracker_id', :tracker_id::text, true), set_config('app.principal_root', 'lineage:' || :lineage_id::text, true);
insert into app.idempotency_keys (tracker_id, principal_root, key, tracker_explicit, fingerprint, call_name, etag, data, request_id)
select :tracker_id, 'lineage:' || :lineage_id::text, gen_random_uuid()::text, true, :fingerprint::bytea, 'createMovement', '"1"', :movement_answer::json, gen_random_uuid() from generate_series(1, 100);
insert into app.movements (tracker_id, id, type, kind, amount, currency_code, account_id, cashbox_id, category_id, occurred_on, description, merchant_name, source_type, source_id)
select :tracker_id, uuidv7(), 'expense', 'regular', :cents::numeric / 100, 'EUR', ('00000000-0000-4000-9000-' || lpad(:account::text, 12, '0'))::uuid, ('00000000-0000-4000-8000-' || lpad(:cashbox::text, 12, '0'))::uuid, 'cat_unknown', current_date, 'Weekly shopping ' || number, 'Corner shop', 'integration_client', :credential_id from generate_series(1, 100) as number;
update app.cashboxes set balance = balance - :cents::numeric, expense_count = expense_count + 100 where tracker_id = :tracker_id and id = ('00000000-0000-4000-8000-' || lpad(:cashbox::text, 12, '0'))::uuid;
insert into app.audit_events (tracker_id, id, user_id, credential_id, action, resource_type, resource_id, change, request_id)
select :tracker_id, uuidv7(), :user_id, :credential_id, 'movement.created', 'movement', gen_random_uuid()::text, null, gen_random_uuid() from generate_series(1, 100);
commit;
