-- Only where the operator sets IDEMPOTENCY_RETENTION_DAYS; otherwise keys are kept for ever. A batch at a time, so that no
-- delete holds the table for long. Returns how many were removed; fewer than the batch means that none is left.
create function app.forget_idempotency_keys(p_older_than interval, p_batch integer) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with old as (
    select tracker_id, principal_root, key from app.idempotency_keys
    where created_at < now() - p_older_than
    limit p_batch
    for update skip locked
  ), removed as (
    delete from app.idempotency_keys k using old
    where k.tracker_id = old.tracker_id and k.principal_root = old.principal_root and k.key = old.key
    returning 1
  )
  select count(*)::integer from removed
$$;

create policy idempotency_keys_removed_by_definer on app.idempotency_keys for delete to centavo_definer using (true);
create policy idempotency_keys_locked_by_definer on app.idempotency_keys for update to centavo_definer using (true);
grant delete, update (created_at) on app.idempotency_keys to centavo_definer;
create index idempotency_keys_by_age on app.idempotency_keys (created_at);

grant create on schema app to centavo_definer;
alter function app.forget_idempotency_keys(interval, integer) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.forget_idempotency_keys(interval, integer) from public;
