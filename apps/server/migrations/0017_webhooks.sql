-- Endpoints to which the server delivers the events of a tracker, and the deliveries. The delivery worker calls its functions below
-- as centavo_identity; they are owned by centavo_definer, because an endpoint of any tracker may be due.

create table app.webhook_endpoints (
  tracker_id uuid not null references app.trackers (id),
  id uuid not null,
  url text not null check (char_length(url) <= 2000),
  description text,
  event_types text[] not null check (cardinality(event_types) between 1 and 50),
  payload text not null check (payload in ('reference', 'record')),
  exclude_own_writes boolean not null,
  max_in_flight integer not null check (max_in_flight between 1 and 16),
  status text not null default 'active' check (status in ('active', 'paused', 'disabled')),
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'owner_lost_access')),
  owner_user_id uuid not null references app.users (id),
  -- The credential that owns the endpoint, and the first credential of its rotations; both null if the user is the owner.
  owner_credential_id uuid references app.credentials (id),
  owner_lineage_id uuid references app.credentials (id),
  -- The worker next delivers the events after this number.
  cursor_sequence bigint not null check (cursor_sequence >= 0),
  -- Failed attempts since the last success, activation or change of the URL, and the time of the first of them.
  failure_count integer not null default 0,
  first_failure_at timestamptz(3),
  -- While the endpoint is failing: the time of the next attempt.
  retry_at timestamptz(3),
  -- True after 429, 502 or 504, until a success.
  is_throttled boolean not null default false,
  last_success_at timestamptz(3),
  active_since timestamptz(3) not null default now(),
  -- Encrypted as decision 0031 describes; null after the endpoint was deleted or the secret was discarded.
  secret text,
  secret_last4 text not null check (char_length(secret_last4) = 4),
  previous_secret text,
  previous_secret_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  -- The time at which a worker examines the endpoint next.
  due_at timestamptz(3) not null default now(),
  leased_by uuid,
  leased_until timestamptz(3),
  -- Increases with each lease. A worker's results are stored only if they have the current epoch.
  lease_epoch bigint not null default 0,
  constraint webhook_endpoints_pkey primary key (tracker_id, id),
  constraint webhook_endpoints_id_key unique (id),
  constraint webhook_endpoints_reason check ((status = 'disabled') = (disabled_reason is not null)),
  constraint webhook_endpoints_owner check ((owner_credential_id is null) = (owner_lineage_id is null))
);
create index webhook_endpoints_due on app.webhook_endpoints (due_at) where status = 'active' and deleted_at is null;

-- A UUID of version 7 (RFC 9562): 48 bits of milliseconds, and random bits.
create function app.uuid_v7() returns uuid
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;
revoke all on function app.uuid_v7() from public;
grant execute on function app.uuid_v7() to centavo_app, centavo_definer;

create table app.webhook_deliveries (
  tracker_id uuid not null,
  endpoint_id uuid not null,
  event_id uuid not null,
  id uuid not null default app.uuid_v7(),
  -- The order of the list.
  position bigint generated always as identity,
  -- Null for a test delivery.
  sequence bigint,
  type text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'dropped')),
  attempts integer not null default 0,
  -- Attempts of the current round that were made while the endpoint was not failing. A retry or a replay starts a new round.
  counted_attempts integer not null default 0,
  round integer not null default 1,
  next_attempt_at timestamptz(3),
  last_status integer,
  last_error text,
  -- The body that every attempt sends; null before it is created, and when it is no longer needed.
  body text,
  created_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  -- An endpoint gets each event once.
  constraint webhook_deliveries_pkey primary key (endpoint_id, event_id),
  constraint webhook_deliveries_id_key unique (endpoint_id, id),
  constraint webhook_deliveries_endpoint_fkey foreign key (tracker_id, endpoint_id)
    references app.webhook_endpoints (tracker_id, id),
  constraint webhook_deliveries_completed check ((status = 'pending') = (completed_at is null))
);
create index webhook_deliveries_listed on app.webhook_deliveries (endpoint_id, position desc);
create index webhook_deliveries_pending on app.webhook_deliveries (endpoint_id, next_attempt_at) where status = 'pending';
create index webhook_deliveries_completed_at on app.webhook_deliveries (completed_at) where status <> 'pending';

alter table app.webhook_endpoints enable row level security;
alter table app.webhook_endpoints force row level security;
alter table app.webhook_deliveries enable row level security;
alter table app.webhook_deliveries force row level security;
create policy webhook_endpoints_inside on app.webhook_endpoints to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy webhook_endpoints_for_definer on app.webhook_endpoints to centavo_definer using (true) with check (true);
create policy webhook_deliveries_inside on app.webhook_deliveries to centavo_app
  using (tracker_id = app.current_tracker()) with check (tracker_id = app.current_tracker());
create policy webhook_deliveries_for_definer on app.webhook_deliveries to centavo_definer using (true) with check (true);

grant select, insert on app.webhook_endpoints to centavo_app;
grant update (url, description, event_types, payload, exclude_own_writes, max_in_flight, status, disabled_reason, owner_user_id,
  owner_credential_id, owner_lineage_id, cursor_sequence, failure_count, first_failure_at, retry_at, is_throttled, active_since,
  secret, secret_last4, previous_secret, previous_secret_until, updated_at, deleted_at, due_at) on app.webhook_endpoints to centavo_app;
grant select, insert on app.webhook_deliveries to centavo_app;
grant update (status, round, counted_attempts, next_attempt_at, body, completed_at) on app.webhook_deliveries to centavo_app;
grant select, update on app.webhook_endpoints to centavo_definer;
grant select, update, delete on app.webhook_deliveries to centavo_definer;
grant insert on app.audit_events to centavo_definer;
grant usage on sequence app.event_order to centavo_definer;

-- Returns the rights that the owner of an endpoint has now, or null if they do not suffice. The owner needs at least the role admin in
-- the tracker. If the owner is a credential, the newest active one of its rotations must have access to the tracker. The function takes the
-- shared locks that a write of the owner takes, in the same order, and reads while it holds them. A revocation then waits for this
-- transaction or is visible to it.
create function app.lock_webhook_owner(e app.webhook_endpoints) returns jsonb
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_locked boolean;
  v_candidate record;
  v_credential app.credentials;
  v_role text;
begin
  if e.owner_lineage_id is not null then
    for v_candidate in
      select c.id, c.secret_sha256 from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id and c.revoked_at is null
        and c.expires_at > clock_timestamp()
      order by c.created_at desc, c.id desc
    loop
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(v_candidate.secret_sha256, 'hex'), 1)) is null;
      select * into v_credential from app.credentials c
      where c.id = v_candidate.id and c.revoked_at is null and c.expires_at > clock_timestamp();
      exit when found;
    end loop;
    if v_credential.id is null or v_credential.access_mode = 'selected' and e.tracker_id <> all (v_credential.tracker_ids) then
      return null;
    end if;
  end if;
  v_locked := pg_advisory_xact_lock_shared(hashtextextended(e.tracker_id || ' ' || e.owner_user_id, 2)) is null;
  select m.role into v_role from app.members m where m.tracker_id = e.tracker_id and m.user_id = e.owner_user_id;
  if v_role is null or v_role not in ('admin', 'owner') then
    return null;
  end if;
  return jsonb_build_object('userId', e.owner_user_id, 'role', v_role, 'credentialId', v_credential.id,
    'scopes', v_credential.scopes,
    'credentialIds', (select jsonb_agg(c.id) from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id),
    'root', coalesce('lineage:' || e.owner_lineage_id, 'user:' || e.owner_user_id));
end
$$;

-- Returns the result of app.lock_webhook_owner for an endpoint of the request's tracker, or null if there is no such endpoint.
create function app.webhook_owner_access(p_endpoint_id uuid) returns jsonb
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint app.webhook_endpoints;
begin
  select * into v_endpoint from app.webhook_endpoints e where e.id = p_endpoint_id and e.tracker_id = app.current_tracker();
  if v_endpoint.id is null then
    return null;
  end if;
  return app.lock_webhook_owner(v_endpoint);
end
$$;

-- Examines up to 200 due endpoints, and leases up to p_max of them to a worker for 30 seconds. An endpoint is idle if it has no new events
-- and no pending deliveries, and its owner still has access. An idle endpoint is not leased: it is due again in 30 seconds, so that 10,000
-- idle endpoints do not delay others. Heads and deliveries are read under the row locks that numbering and requests take before they make
-- an endpoint due, so no event is missed.
create function app.lease_webhooks(p_worker uuid, p_max integer)
returns table (endpoint_id uuid, epoch bigint, late_seconds double precision)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids uuid[];
  v_tracker_ids uuid[];
  v_heads jsonb;
begin
  select array_agg(d.id), array_agg(d.tracker_id) into v_ids, v_tracker_ids
  from (
    select e.id, e.tracker_id from app.webhook_endpoints e
    where e.status = 'active' and e.deleted_at is null and e.due_at <= now()
      and (e.leased_until is null or e.leased_until < now())
    order by e.due_at limit 200 for no key update skip locked) d;
  if v_ids is null then
    return;
  end if;
  -- This is a separate statement, because Citus refuses a join with a table of the coordinator here.
  select jsonb_object_agg(h.tracker_id, h.sequence) into v_heads from app.event_heads h where h.tracker_id = any (v_tracker_ids);
  update app.webhook_endpoints e set due_at = now() + interval '30 seconds'
  where e.id = any (v_ids) and e.cursor_sequence >= coalesce((v_heads ->> e.tracker_id::text)::bigint, 0)
    and not exists (select 1 from app.webhook_deliveries d where d.endpoint_id = e.id and d.status = 'pending')
    and exists (
      select 1 from app.members m
      where m.tracker_id = e.tracker_id and m.user_id = e.owner_user_id and m.role in ('admin', 'owner'))
    and (e.owner_lineage_id is null or exists (
      select 1 from app.credentials c
      where c.user_id = e.owner_user_id and c.lineage_id = e.owner_lineage_id and c.revoked_at is null and c.expires_at > now()));
  return query
    update app.webhook_endpoints e
    set leased_by = p_worker, leased_until = now() + interval '30 seconds', lease_epoch = e.lease_epoch + 1
    from (
      select d.id, d.due_at from app.webhook_endpoints d
      where d.id = any (v_ids) and d.due_at <= now() order by d.due_at limit p_max) as due
    where e.id = due.id
    returning e.id, e.lease_epoch, extract(epoch from now() - due.due_at)::double precision;
end
$$;

-- Renews a lease. Returns false if it was lost.
create function app.renew_webhook_lease(p_endpoint_id uuid, p_worker uuid, p_epoch bigint) returns boolean
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with renewed as (
    update app.webhook_endpoints e set leased_until = now() + interval '30 seconds'
    where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch
    returning 1)
  select exists (select from renewed)
$$;

-- Ends a lease, and sets the time at which the endpoint is examined next. This is now if the endpoint is not failing, has new events, and
-- has fewer than 1,000 pending deliveries. Otherwise it is the time of the next attempt, but at most 30 seconds from now. It reads under
-- the row lock: numbering changes due_at under the same lock, so the numbered events are visible here.
create function app.release_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_endpoint app.webhook_endpoints;
  v_next timestamptz;
begin
  select * into v_endpoint from app.webhook_endpoints e
  where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch for no key update;
  if v_endpoint.id is null then
    return;
  end if;
  select case when v_endpoint.retry_at is null then min(d.next_attempt_at) else v_endpoint.retry_at end into v_next
  from app.webhook_deliveries d where d.endpoint_id = p_endpoint_id and d.status = 'pending';
  -- Citus refuses a subquery without columns.
  if v_endpoint.retry_at is null and exists (
    select 1 from app.event_heads h
    where h.tracker_id = v_endpoint.tracker_id and h.sequence > v_endpoint.cursor_sequence)
    and (select count(*) from app.webhook_deliveries d where d.endpoint_id = p_endpoint_id and d.status = 'pending') < 1000
  then
    v_next := now();
  end if;
  update app.webhook_endpoints e
  set leased_by = null, leased_until = null, due_at = least(v_next, now() + interval '30 seconds')
  where e.id = p_endpoint_id;
end
$$;

-- Checks the rights of the owner of a leased endpoint, and sets the context of row-level security to the owner in the tracker. Renews
-- the lease and returns the data that the worker needs. It returns null if the lease was lost or the endpoint is not active. If `owner`
-- is null, the owner has lost access, and no context is set.
create function app.authorize_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint) returns jsonb
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limits text;
  v_set boolean;
  v_found app.webhook_endpoints;
  v_endpoint app.webhook_endpoints;
  v_owner jsonb;
begin
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  -- As in every request, the locks of the owner are taken before the row is locked. If the owner changed in between, the loop repeats.
  for v_try in 1 .. 3 loop
    select * into v_found from app.webhook_endpoints e where e.id = p_endpoint_id;
    v_owner := app.lock_webhook_owner(v_found);
    select * into v_endpoint from app.webhook_endpoints e
    where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch and e.status = 'active'
      and e.deleted_at is null
    for no key update;
    if v_endpoint.id is null then
      return null;
    end if;
    exit when (v_endpoint.owner_user_id, v_endpoint.owner_lineage_id)
      is not distinct from (v_found.owner_user_id, v_found.owner_lineage_id);
    v_owner := null;
  end loop;
  update app.webhook_endpoints e set leased_until = now() + interval '30 seconds' where e.id = p_endpoint_id;
  if v_owner is not null then
    v_set := app.set_context(v_endpoint.owner_user_id, v_endpoint.tracker_id, v_owner ->> 'root');
  end if;
  return jsonb_build_object('trackerId', v_endpoint.tracker_id, 'url', v_endpoint.url, 'eventTypes', v_endpoint.event_types,
    'payload', v_endpoint.payload, 'excludeOwnWrites', v_endpoint.exclude_own_writes, 'maxInFlight', v_endpoint.max_in_flight,
    'cursorSequence', v_endpoint.cursor_sequence, 'failureCount', v_endpoint.failure_count,
    'isThrottled', v_endpoint.is_throttled, 'mayRetry', coalesce(v_endpoint.retry_at <= now(), true),
    'secret', v_endpoint.secret,
    'previousSecret', case when v_endpoint.previous_secret_until > now() then v_endpoint.previous_secret end,
    'owner', v_owner);
end
$$;

-- Locks a leased endpoint and returns the state from which the worker decides on the results of attempts; null if the lease was lost.
create function app.lock_webhook(p_endpoint_id uuid, p_worker uuid, p_epoch bigint) returns jsonb
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('status', e.status, 'disabledReason', e.disabled_reason, 'failureCount', e.failure_count,
    'firstFailureAtMs', extract(epoch from e.first_failure_at) * 1000, 'retryAtMs', extract(epoch from e.retry_at) * 1000,
    'isThrottled', e.is_throttled, 'lastSuccessAtMs', extract(epoch from e.last_success_at) * 1000,
    'activeSinceMs', extract(epoch from e.active_since) * 1000, 'nowMs', extract(epoch from clock_timestamp()) * 1000)
  from app.webhook_endpoints e
  where e.id = p_endpoint_id and e.leased_by = p_worker and e.lease_epoch = p_epoch
  for no key update
$$;

-- Stores the state of an endpoint that app.lock_webhook has locked, and the results of its deliveries. If a delivery was retried or
-- replayed meanwhile, only its attempt count and its last result are stored. When the endpoint stops failing, all its pending deliveries
-- become due. When it becomes disabled, the event p_event_id is recorded.
create function app.settle_webhook(p_endpoint_id uuid, p_state jsonb, p_deliveries jsonb, p_event_id uuid, p_request_id uuid,
  p_salt bytea) returns void
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.webhook_endpoints;
begin
  select * into v_before from app.webhook_endpoints e where e.id = p_endpoint_id;
  update app.webhook_deliveries d
  set attempts = d.attempts + 1, last_status = r."lastStatus", last_error = r."lastError"
  from jsonb_to_recordset(p_deliveries) as r ("eventId" uuid, "lastStatus" integer, "lastError" text)
  where d.endpoint_id = p_endpoint_id and d.event_id = r."eventId";
  update app.webhook_deliveries d
  set status = r.status, counted_attempts = r."countedAttempts",
    next_attempt_at = to_timestamp(r."nextAttemptAtMs" / 1000),
    completed_at = case when r.status <> 'pending' then now() end,
    -- The body of a test cannot be made again.
    body = case when r.status <> 'succeeded' or d.sequence is null then d.body end
  from jsonb_to_recordset(p_deliveries)
    as r ("eventId" uuid, round integer, status text, "countedAttempts" integer, "nextAttemptAtMs" double precision)
  where d.endpoint_id = p_endpoint_id and d.event_id = r."eventId" and d.round = r.round
    and (d.status = 'pending' or r.status = 'succeeded');

  update app.webhook_endpoints e
  set status = p_state ->> 'status', disabled_reason = p_state ->> 'disabledReason',
    failure_count = (p_state ->> 'failureCount')::integer,
    first_failure_at = to_timestamp((p_state ->> 'firstFailureAtMs')::double precision / 1000),
    retry_at = to_timestamp((p_state ->> 'retryAtMs')::double precision / 1000),
    is_throttled = (p_state ->> 'isThrottled')::boolean,
    last_success_at = to_timestamp((p_state ->> 'lastSuccessAtMs')::double precision / 1000),
    leased_until = now() + interval '30 seconds'
  where e.id = p_endpoint_id;

  if v_before.retry_at is not null and p_state -> 'retryAtMs' = 'null' then
    update app.webhook_deliveries d set next_attempt_at = now()
    where d.endpoint_id = p_endpoint_id and d.status = 'pending' and d.next_attempt_at > now();
  end if;

  if v_before.status = 'active' and p_state ->> 'status' = 'disabled' then
    insert into app.audit_events (tracker_id, id, user_id, action, resource_type, resource_id, request_id, salt)
    values (v_before.tracker_id, p_event_id, null, 'webhook.disabled', 'webhook', p_endpoint_id::text, p_request_id, p_salt);
  end if;
end
$$;

-- Removes up to p_max old deliveries: succeeded ones after 7 days, failed and dropped ones after 30.
create function app.remove_old_webhook_deliveries(p_max integer) returns integer
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  with old as (
    select d.endpoint_id, d.event_id from app.webhook_deliveries d
    where d.status <> 'pending' and d.completed_at < now() - interval '7 days'
      and (d.status = 'succeeded' or d.completed_at < now() - interval '30 days')
    limit p_max for update skip locked),
  removed as (
    delete from app.webhook_deliveries d using old
    where d.endpoint_id = old.endpoint_id and d.event_id = old.event_id returning 1)
  select count(*)::integer from removed
$$;

-- Locks up to p_max endpoints with a secret that does not start with p_prefix, the prefix of the first encryption key, and returns their
-- secrets. Skips rows that another server has locked.
create function app.webhook_secrets_to_encrypt(p_prefix text, p_max integer)
returns table (endpoint_id uuid, secret text, previous_secret text)
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  select e.id, e.secret, e.previous_secret from app.webhook_endpoints e
  where not starts_with(e.secret, p_prefix) or not starts_with(e.previous_secret, p_prefix)
  limit p_max for update skip locked
$$;

-- Stores the secrets of endpoints that app.webhook_secrets_to_encrypt has locked.
create function app.store_webhook_secrets(p_secrets jsonb) returns void
language sql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
  update app.webhook_endpoints e set secret = s.secret, previous_secret = s."previousSecret"
  from jsonb_to_recordset(p_secrets) as s (id uuid, secret text, "previousSecret" text)
  where e.id = s.id
$$;

-- Discards the webhook secrets that start with p_prefix, the prefix of a lost encryption key. Pauses the endpoints whose current secret was
-- discarded. Returns the number of endpoints with a discarded secret. The owner of the tables calls this function, because row-level
-- security applies to the owner too.
create function app.discard_webhook_secrets(p_prefix text) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_count integer;
begin
  update app.webhook_endpoints e set
    previous_secret = case when starts_with(e.previous_secret, p_prefix) then null else e.previous_secret end,
    previous_secret_until = case when starts_with(e.previous_secret, p_prefix) then null else e.previous_secret_until end,
    secret = case when starts_with(e.secret, p_prefix) then null else e.secret end,
    status = case when starts_with(e.secret, p_prefix) then 'paused' else e.status end,
    disabled_reason = case when starts_with(e.secret, p_prefix) then null else e.disabled_reason end
  where starts_with(e.secret, p_prefix) or starts_with(e.previous_secret, p_prefix);
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Makes the active endpoints of a tracker due after its events were numbered. It locks all of them, even those that are due already. A
-- worker that releases an endpoint at the same time waits for the lock, and then sees the new head.
create function app.wake_webhooks(p_tracker_id uuid) returns void
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.webhook_endpoints e set due_at = now()
  where e.tracker_id = p_tracker_id and e.status = 'active' and e.deleted_at is null
$$;

-- Numbers events as before, and makes the active endpoints of the tracker due.
alter function app.number_events(uuid, integer) rename to number_tracker_events;
create function app.number_events(p_tracker_id uuid, p_max integer default 1000) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_numbered integer;
begin
  v_numbered := app.number_tracker_events(p_tracker_id, p_max);
  if v_numbered > 0 then
    perform app.wake_webhooks(p_tracker_id);
  end if;
  return v_numbered;
end
$$;

grant create on schema app to centavo_definer;
alter function app.lock_webhook_owner(app.webhook_endpoints) owner to centavo_definer;
alter function app.webhook_owner_access(uuid) owner to centavo_definer;
alter function app.lease_webhooks(uuid, integer) owner to centavo_definer;
alter function app.renew_webhook_lease(uuid, uuid, bigint) owner to centavo_definer;
alter function app.release_webhook(uuid, uuid, bigint) owner to centavo_definer;
alter function app.authorize_webhook(uuid, uuid, bigint) owner to centavo_definer;
alter function app.lock_webhook(uuid, uuid, bigint) owner to centavo_definer;
alter function app.settle_webhook(uuid, jsonb, jsonb, uuid, uuid, bytea) owner to centavo_definer;
alter function app.remove_old_webhook_deliveries(integer) owner to centavo_definer;
alter function app.webhook_secrets_to_encrypt(text, integer) owner to centavo_definer;
alter function app.store_webhook_secrets(jsonb) owner to centavo_definer;
alter function app.discard_webhook_secrets(text) owner to centavo_definer;
alter function app.wake_webhooks(uuid) owner to centavo_definer;
alter function app.number_events(uuid, integer) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.lock_webhook_owner(app.webhook_endpoints), app.webhook_owner_access(uuid),
  app.lease_webhooks(uuid, integer), app.renew_webhook_lease(uuid, uuid, bigint), app.release_webhook(uuid, uuid, bigint),
  app.authorize_webhook(uuid, uuid, bigint), app.lock_webhook(uuid, uuid, bigint),
  app.settle_webhook(uuid, jsonb, jsonb, uuid, uuid, bytea), app.remove_old_webhook_deliveries(integer),
  app.webhook_secrets_to_encrypt(text, integer), app.store_webhook_secrets(jsonb), app.discard_webhook_secrets(text),
  app.wake_webhooks(uuid), app.number_events(uuid, integer) from public;
revoke all on function app.number_tracker_events(uuid, integer) from centavo_app;
grant execute on function app.webhook_owner_access(uuid) to centavo_app;
grant execute on function app.number_events(uuid, integer) to centavo_app, centavo_definer;
grant execute on function app.lease_webhooks(uuid, integer), app.renew_webhook_lease(uuid, uuid, bigint),
  app.release_webhook(uuid, uuid, bigint), app.authorize_webhook(uuid, uuid, bigint), app.lock_webhook(uuid, uuid, bigint),
  app.settle_webhook(uuid, jsonb, jsonb, uuid, uuid, bytea), app.remove_old_webhook_deliveries(integer),
  app.webhook_secrets_to_encrypt(text, integer), app.store_webhook_secrets(jsonb) to centavo_identity;
