-- app.idempotency_keys and app.audit_events have no foreign key to trackers, for the reason given at app.transfers (migration
-- 0006): each write would run two checks that cannot fail.

-- One row for each successful write under a key. Rows are kept for ever, so that a late retry has no second effect, unless the
-- operator sets IDEMPOTENCY_RETENTION_DAYS.
create table app.idempotency_keys (
  tracker_id uuid not null,
  -- 'user:<id>' for sessions, 'lineage:<id>' for a secret and its rotations.
  principal_root text not null,
  key app.idempotency_key not null,
  -- True if the request named its tracker, or used the caller's only tracker because none was chosen. Otherwise a retry may
  -- select another tracker.
  tracker_explicit boolean not null,
  fingerprint app.sha256_digest not null,
  call_name text not null,
  etag text,
  -- The `data` of the first response. The type is json, because jsonb would sort the fields.
  data json not null,
  -- A request that lost the acknowledgement of its COMMIT recognizes its own row by this id.
  request_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint idempotency_keys_pkey primary key (tracker_id, principal_root, key)
);

create index idempotency_keys_by_principal on app.idempotency_keys (principal_root, key);
create index idempotency_keys_by_age on app.idempotency_keys (created_at);

-- The audit of a tracker. No role that serves requests can read, change or remove a row.
create table app.audit_events (
  tracker_id uuid not null,
  id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  user_id uuid not null,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  -- For changes, each changed field with its values before and after.
  change jsonb,
  request_id uuid not null,
  constraint audit_events_pkey primary key (tracker_id, id)
);

-- The audit of a user: the events that belong to no tracker, such as those of credentials.
create table app.user_audit_events (
  user_id uuid not null references app.users (id),
  id uuid not null,
  occurred_at timestamptz(3) not null default now(),
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  constraint user_audit_events_pkey primary key (user_id, id)
);

alter table app.idempotency_keys enable row level security;
alter table app.idempotency_keys force row level security;
alter table app.audit_events enable row level security;
alter table app.audit_events force row level security;
alter table app.user_audit_events enable row level security;
alter table app.user_audit_events force row level security;

create policy idempotency_keys_of_principal on app.idempotency_keys to centavo_app
  using (tracker_id = app.current_tracker() and principal_root = app.current_principal_root())
  with check (tracker_id = app.current_tracker() and principal_root = app.current_principal_root());
create policy idempotency_keys_for_definer on app.idempotency_keys for select to centavo_definer using (true);
create policy idempotency_keys_removed_by_definer on app.idempotency_keys for delete to centavo_definer using (true);
create policy idempotency_keys_locked_by_definer on app.idempotency_keys for update to centavo_definer using (true);
create policy audit_events_inside on app.audit_events to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy user_audit_events_own on app.user_audit_events to centavo_app
  using (user_id = app.current_user_id()) with check (user_id = app.current_user_id());

-- Removes one batch of old keys and returns their number; a smaller number than the batch means that no unlocked old key is left.
-- Batches keep each delete short, so that it does not hold its locks for long. The function follows the index from the oldest key and
-- deletes by ctid, so that each batch costs the same. For a join by key the planner chose a scan of the whole table.
create function app.forget_idempotency_keys(p_older_than interval, p_batch integer) returns integer
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

-- Removes old idempotency keys for a server that cannot become centavo_definer. The minimum age is one day, as for
-- IDEMPOTENCY_RETENTION_DAYS. Therefore even an injected SQL statement cannot remove the keys of current requests.
create function app.forget_old_idempotency_keys(p_days integer, p_batch integer) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.forget_idempotency_keys(make_interval(days => greatest(p_days, 1)), p_batch)
$$;

grant select, insert on app.idempotency_keys to centavo_app;
grant select, delete, update (created_at) on app.idempotency_keys to centavo_definer;
grant insert on app.audit_events, app.user_audit_events to centavo_app;

alter function app.forget_idempotency_keys(interval, integer) owner to centavo_definer;
alter function app.forget_old_idempotency_keys(integer, integer) owner to centavo_definer;
revoke all on function app.forget_idempotency_keys(interval, integer), app.forget_old_idempotency_keys(integer, integer)
  from public;
grant execute on function app.forget_old_idempotency_keys(integer, integer) to centavo_identity;
