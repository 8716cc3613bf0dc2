-- The journal: every write inserts its events as pending events, which are numbered after they are committed. Numbering takes a
-- lock that no write takes, so numbers become visible in order. A client that has read up to a number has missed no earlier
-- event.

-- A write takes its value of the sequence while it holds its row locks. Therefore two writes of one record are numbered in their
-- order. If one write was answered before another began, it also has the lower number.
create sequence app.event_order;

-- `app.audit_events` holds the pending events. It keeps its name, because servers of the earlier version insert into it too.
-- Their rows have no digests. Rows from before this migration have no `insert_order`, and are numbered first.
alter table app.audit_events
  -- Null if the server itself caused the event.
  alter column user_id drop not null,
  add column insert_order bigint,
  -- 16 random bytes, so that a value cannot be guessed from its digest.
  add column salt app.salt,
  add column change_digest app.sha256_digest,
  add column state_digest app.sha256_digest;
alter table app.audit_events alter column insert_order set default nextval('app.event_order');
alter table app.audit_events drop constraint audit_events_pkey;
alter table app.audit_events replica identity full;
create index audit_events_in_order on app.audit_events (tracker_id, insert_order nulls first, id);

-- The numbered events. Only app.number_events inserts rows, and no role of the server updates a row.
create table app.events (
  tracker_id uuid not null,
  -- 1, 2, 3 and so on for each tracker, without gaps.
  sequence bigint not null check (sequence > 0),
  -- SHA-256 of the previous event's hash, followed by the app.event_leaf of this event.
  hash app.sha256_digest not null,
  id uuid not null,
  occurred_at timestamptz(3) not null,
  user_id uuid,
  credential_id uuid,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  change jsonb,
  request_id uuid not null,
  insert_order bigint,
  salt bytea,
  change_digest bytea,
  state_digest bytea,
  constraint events_pkey primary key (tracker_id, sequence)
);
create index events_of_resource on app.events (tracker_id, resource_type, resource_id, sequence);

-- The last numbered event of each tracker, and the floor: the last event that retention removed, 0 at first.
create table app.event_heads (
  tracker_id uuid not null,
  sequence bigint not null,
  hash app.sha256_digest not null,
  floor_sequence bigint not null,
  floor_hash app.sha256_digest not null,
  constraint event_heads_pkey primary key (tracker_id)
);

alter table app.events enable row level security;
alter table app.events force row level security;
alter table app.event_heads enable row level security;
alter table app.event_heads force row level security;
create policy events_inside on app.events for select to centavo_app using (tracker_id = app.current_tracker());
create policy events_for_definer on app.events to centavo_definer using (true) with check (true);
create policy event_heads_inside on app.event_heads for select to centavo_app using (tracker_id = app.current_tracker());
create policy event_heads_for_definer on app.event_heads to centavo_definer using (true) with check (true);
create policy audit_events_numbered_by_definer on app.audit_events to centavo_definer using (true) with check (true);

grant select on app.events, app.event_heads to centavo_app;
grant select, insert on app.events to centavo_definer;
grant select, insert, update on app.event_heads to centavo_definer;
grant select, delete on app.audit_events to centavo_definer;
grant usage on sequence app.event_order to centavo_app;

-- All events, for tests and operators. Pending events have no number.
create view app.recorded_events with (security_invoker = true) as
  select tracker_id, sequence, hash, id, occurred_at, user_id, credential_id, action, resource_type, resource_id, change, request_id,
    insert_order, salt, change_digest, state_digest
  from app.events
  union all
  select tracker_id, null, null, id, occurred_at, user_id, credential_id, action, resource_type, resource_id, change, request_id,
    insert_order, salt, change_digest, state_digest
  from app.audit_events;

-- Returns the hash that takes the place of a previous hash for the first event of a tracker.
create function app.genesis_hash(p_tracker_id uuid) returns bytea
language sql immutable parallel safe
return sha256(convert_to('centavo-chain-v1' || E'\n' || p_tracker_id::text, 'UTF8'));

-- Returns the text that the hash of an event covers: eleven lines. It contains digests instead of values, so that values can be
-- erased.
create function app.event_leaf(e app.audit_events, p_sequence bigint) returns text
language sql stable
return concat_ws(E'\n', 'centavo-event-v1', e.tracker_id::text, p_sequence::text, e.id::text,
  to_char(e.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  case
    when e.credential_id is not null then 'credential:' || e.credential_id || ' user:' || e.user_id
    when e.user_id is not null then 'user:' || e.user_id
    else 'system' end,
  e.action, e.resource_type || ' ' || e.resource_id, e.request_id::text,
  coalesce(encode(e.change_digest, 'hex'), '-'), coalesce(encode(e.state_digest, 'hex'), '-'));

-- Numbers up to p_max pending events of a tracker, in the order in which they were inserted, and returns how many it numbered.
-- Volatile, because each statement must see rows that were committed while an earlier statement waited for the lock of the head.
create function app.number_events(p_tracker_id uuid, p_max integer default 1000) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
-- PostgreSQL keeps the plans that it makes while the tables are small. A sequential scan would then cost more with every tracker.
set enable_seqscan = off
as $$
declare
  v_head app.event_heads;
  v_event app.audit_events;
  v_ids uuid[] := '{}';
begin
  -- A request numbers the events of its own tracker only.
  if current_setting('role') = 'centavo_app' and p_tracker_id is distinct from app.current_tracker() then
    raise insufficient_privilege using message = 'The tracker differs from the tracker of the request.';
  end if;
  if not exists (select from app.audit_events where tracker_id = p_tracker_id) then
    return 0;
  end if;
  insert into app.event_heads (tracker_id, sequence, hash, floor_sequence, floor_hash)
  values (p_tracker_id, 0, app.genesis_hash(p_tracker_id), 0, app.genesis_hash(p_tracker_id))
  on conflict (tracker_id) do nothing;
  select * into v_head from app.event_heads where tracker_id = p_tracker_id for update;
  for v_event in
    select * from app.audit_events where tracker_id = p_tracker_id order by insert_order nulls first, id limit p_max
  loop
    v_head.sequence := v_head.sequence + 1;
    v_head.hash := sha256(v_head.hash || convert_to(app.event_leaf(v_event, v_head.sequence), 'UTF8'));
    v_ids := v_ids || v_event.id;
    insert into app.events (tracker_id, sequence, hash, id, occurred_at, user_id, credential_id, action, resource_type,
      resource_id, change, request_id, insert_order, salt, change_digest, state_digest)
    values (p_tracker_id, v_head.sequence, v_head.hash, v_event.id, v_event.occurred_at, v_event.user_id, v_event.credential_id,
      v_event.action, v_event.resource_type, v_event.resource_id, v_event.change, v_event.request_id, v_event.insert_order,
      v_event.salt, v_event.change_digest, v_event.state_digest);
  end loop;
  -- Another write may have committed an event between these in the order since the loop read them, so the ids decide.
  delete from app.audit_events
  where tracker_id = p_tracker_id and id = any (v_ids)
    and (insert_order is null or insert_order <= v_event.insert_order or v_event.insert_order is null);
  update app.event_heads set sequence = v_head.sequence, hash = v_head.hash where tracker_id = p_tracker_id;
  return cardinality(v_ids);
end
$$;

-- Numbers up to 1,000 pending events of each of up to p_max trackers, and returns the number of trackers that had any. Returns 0
-- if another transaction is running this function.
create function app.number_pending_trackers(p_max integer) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_tracker_id uuid;
  v_numbered integer;
  v_count integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('numbering of events', 4)) then
    return 0;
  end if;
  for v_tracker_id in select distinct tracker_id from app.audit_events limit p_max loop
    v_numbered := app.number_events(v_tracker_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;

grant create on schema app to centavo_definer;
alter function app.number_events(uuid, integer) owner to centavo_definer;
alter function app.number_pending_trackers(integer) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.genesis_hash(uuid), app.event_leaf(app.audit_events, bigint), app.number_events(uuid, integer),
  app.number_pending_trackers(integer) from public;
grant execute on function app.genesis_hash(uuid) to centavo_app, centavo_definer;
grant execute on function app.event_leaf(app.audit_events, bigint) to centavo_definer;
grant execute on function app.number_events(uuid, integer) to centavo_app, centavo_definer;
grant execute on function app.number_pending_trackers(integer) to centavo_identity;
