-- The change feed: waiting reads, the metric of pending events, and the retention of numbered events.

-- Numbers events as before, but in the order of tracker ids, as app.number_and_read_heads does. Otherwise two transactions that
-- lock several heads could deadlock.
create or replace function app.number_pending_trackers(p_max integer) returns integer
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
  for v_tracker_id in
    select p.tracker_id from (select distinct tracker_id from app.audit_events limit p_max) p order by p.tracker_id
  loop
    v_numbered := app.number_events(v_tracker_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;

-- Numbers up to 1,000 pending events of each of these trackers, and returns the newest number of each tracker that has events.
create function app.number_and_read_heads(p_tracker_ids uuid[]) returns table (tracker_id uuid, sequence bigint)
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_tracker_id uuid;
  v_numbered integer;
begin
  for v_tracker_id in select id from unnest(p_tracker_ids) as id order by id loop
    v_numbered := app.number_events(v_tracker_id);
  end loop;
  return query select h.tracker_id, h.sequence from app.event_heads h where h.tracker_id = any (p_tracker_ids);
end
$$;

-- Counts the committed events that have no number yet.
create function app.count_pending_events() returns bigint
language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
  select count(*) from app.audit_events
$$;

-- Removes numbered events that are older than p_days days, at most p_batch of them, and returns their number. Of each tracker it removes a
-- prefix of the sequence, and stores the end of this prefix as the floor. It skips a tracker whose head another transaction has locked.
create function app.remove_old_events(p_days integer, p_batch integer) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit timestamptz := now() - make_interval(days => p_days);
  v_tracker_id uuid;
  v_head app.event_heads;
  v_last bigint;
  v_removed integer;
  v_total integer := 0;
begin
  for v_tracker_id in
    select h.tracker_id from app.event_heads h
    where exists (
      select 1 from app.events e
      where e.tracker_id = h.tracker_id and e.sequence = h.floor_sequence + 1 and e.occurred_at < v_limit)
  loop
    -- The loop locks one row at a time, because Citus cannot lock rows of several machines in one statement.
    select h.* into v_head from app.event_heads h where h.tracker_id = v_tracker_id for update skip locked;
    continue when not found;
    select max(o.sequence) into v_last
    from (
      select e.sequence, bool_and(e.occurred_at < v_limit) over (order by e.sequence) as is_old
      from app.events e
      where e.tracker_id = v_head.tracker_id and e.sequence > v_head.floor_sequence
        and e.sequence <= v_head.floor_sequence + p_batch - v_total
    ) o
    where o.is_old;
    -- Another process has removed the old events meanwhile.
    continue when v_last is null;
    update app.event_heads
    set floor_sequence = v_last,
      floor_hash = (select e.hash from app.events e where e.tracker_id = v_head.tracker_id and e.sequence = v_last)
    where tracker_id = v_head.tracker_id;
    delete from app.events where tracker_id = v_head.tracker_id and sequence <= v_last;
    get diagnostics v_removed = row_count;
    v_total := v_total + v_removed;
    exit when v_total >= p_batch;
  end loop;
  return v_total;
end
$$;

grant delete on app.events to centavo_definer;
grant create on schema app to centavo_definer;
alter function app.number_and_read_heads(uuid[]) owner to centavo_definer;
alter function app.count_pending_events() owner to centavo_definer;
alter function app.remove_old_events(integer, integer) owner to centavo_definer;
revoke create on schema app from centavo_definer;
revoke all on function app.number_and_read_heads(uuid[]), app.count_pending_events(), app.remove_old_events(integer, integer)
  from public;
grant execute on function app.number_and_read_heads(uuid[]), app.count_pending_events(), app.remove_old_events(integer, integer)
  to centavo_identity;
