-- The functions that need another body in a database that Citus distributes over machines.

-- Policies call these two functions on machines without the rows that the other bodies read, and Citus executes no query inside a
-- policy. The statements of the server check both conditions too. Row-level security still separates trackers, but inside a
-- tracker it no longer hides the names of user-wide categories. See docs/decisions/0037-one-form-of-policies.md
create or replace function app.uses_category(p_id text) returns boolean
language sql stable parallel safe
return app.current_tracker() is not null;

create or replace function app.sees_category(p_id text) returns boolean
language sql stable parallel safe
return true;

-- Sends the context of this transaction to the other machines. Citus repeats SET LOCAL there, but not set_config(). If the
-- transaction has not used a machine yet, Citus sends the settings to it with BEGIN, without another round trip. The timeouts are
-- sent too, so that no machine waits for a lock longer than the coordinator does.
create or replace function app.carry_context() returns void
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_context text := concat_ws(' ', current_setting('app.user_id', true), current_setting('app.tracker_id', true),
    current_setting('app.principal_root', true));
  v_name text;
begin
  -- Sending it again would be a round trip for each setting and machine.
  if v_context = current_setting('app.carried_context', true) then
    return;
  end if;
  perform set_config('citus.propagate_set_commands', 'local', true), set_config('app.carried_context', v_context, true);
  foreach v_name in array array['app.user_id', 'app.tracker_id', 'app.principal_root', 'lock_timeout', 'statement_timeout'] loop
    execute format('set local %s = %L', v_name, coalesce(current_setting(v_name, true), ''));
  end loop;
end
$$;

-- Reads only the machines of trackers whose stored answer can matter. These are the trackers of which the user is a member, and
-- those that were ever the stored choice: the active or default tracker of the user or of a credential. Only a request that took its
-- tracker from the stored choice conflicts with a request in another tracker. Reading every shard for every write would undo the
-- sharding.
create or replace function app.stored_answers(p_principal_root text, p_key text) returns json
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user_id uuid := app.current_user_id();
  v_trackers uuid[] := array(
    select m.tracker_id from app.members m where m.user_id = v_user_id
    union
    select unnest(array[c.default_tracker_id, c.active_tracker_id]) from app.credentials c where c.user_id = v_user_id
    union
    select unnest(array[e.resource_id, e.change #>> '{activeTrackerId,0}', e.change #>> '{defaultTrackerId,0}'])::uuid
    from app.user_audit_events e where e.user_id = v_user_id and e.resource_type = 'tracker');
  v_answers json;
begin
  perform app.carry_context();
  -- Otherwise Citus reads several machines at once, and then refuses to write a reference table in the same transaction.
  perform set_config('citus.multi_shard_modify_mode', 'sequential', true);
  select json_agg(json_build_object('trackerId', k.tracker_id, 'trackerExplicit', k.tracker_explicit,
    'fingerprint', encode(k.fingerprint, 'hex'), 'requestId', k.request_id, 'etag', k.etag, 'data', k.data))
  into v_answers
  from app.idempotency_keys k
  where k.tracker_id = any (array_remove(v_trackers, null)) and k.principal_root = p_principal_root and k.key = p_key;
  return v_answers;
end
$$;

drop policy if exists user_audit_events_for_definer on app.user_audit_events;
create policy user_audit_events_for_definer on app.user_audit_events for select to centavo_definer using (true);
grant select (user_id, resource_type, resource_id, change) on app.user_audit_events to centavo_definer;

-- Removes all old keys at once, because Citus has no statement that locks the first thousand rows of many machines.
create or replace function app.forget_idempotency_keys(p_older_than interval, p_batch integer) returns integer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_removed integer;
begin
  delete from app.idempotency_keys where created_at < now() - p_older_than;
  get diagnostics v_removed = row_count;
  return v_removed;
end
$$;

-- PostgreSQL lets every role call a new function, and these functions may be new on this machine.
revoke all on function app.uses_category(text), app.sees_category(text), app.carry_context(), app.stored_answers(text, text),
  app.forget_idempotency_keys(interval, integer) from public;
grant execute on function app.uses_category(text), app.sees_category(text) to centavo_app;
grant execute on function app.carry_context() to centavo_app, centavo_definer;
grant execute on function app.stored_answers(text, text) to centavo_definer;
