-- One statement authenticates a request, resolves its tracker, takes its locks and finds its stored response.

-- Sets the context of row-level security until the transaction ends. No other statement of a request sets it. Only the functions of
-- centavo_definer may call it, and they pass only trackers of which the user is a member. PostgreSQL inlines the body.
create function app.set_context(p_user_id uuid, p_tracker_id uuid, p_principal_root text) returns boolean
language sql volatile
return set_config('app.user_id', p_user_id::text, true) || set_config('app.tracker_id', coalesce(p_tracker_id::text, ''), true)
  || set_config('app.principal_root', p_principal_root, true) is not null;

-- Authenticates the caller, resolves the tracker, sets the context of row-level security and looks up the idempotency key. It
-- returns facts; the server decides which error they cause. Volatile, because each of its statements must see rows that were
-- committed while it waited for a lock. A write locks only the caller's membership of the request's tracker, so that writes in
-- other trackers do not delay a change of the caller's role in this one. The lock can be taken only after the tracker is resolved.
-- Therefore the statement that reads the tracker reads the membership again, under the lock. If the membership ended in between,
-- or no longer suffices for the credential, the tracker does not count as eligible.
create function app.enter_request(
  p_secret_sha256 bytea,
  p_issuer text,
  p_subject text,
  p_session_id uuid,
  p_tracker_id uuid,
  p_is_write boolean,
  p_idempotency_key text
) returns json
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Assigned and never read: an assignment costs less than PERFORM.
  v_limits text;
  v_set boolean;
  v_locked boolean;
  v_caller record;
  v_chosen_id uuid;
  v_tracker_id uuid;
  v_resolved_by text;
  v_tracker record;
  v_keys json;
  v_key_locked boolean;
begin
  -- A stuck statement must not outlive the response. These timeouts apply until the transaction ends.
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  -- A read that is sent without BEGIN is not read-only yet.
  if not p_is_write then
    v_limits := set_config('transaction_read_only', 'on', true);
  end if;

  -- A write must not commit after its caller lost the right to it: revoking takes these locks exclusively.
  if p_secret_sha256 is not null then
    if p_is_write then
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(encode(p_secret_sha256, 'hex'), 1)) is null;
    end if;
    select c.user_id, c.id as credential_id, c.kind, c.name, c.scopes, c.active_tracker_id, c.default_tracker_id,
      c.expires_at, c.expires_at <= clock_timestamp() as is_expired, c.revoked_at is not null as is_revoked,
      null::boolean as session_active, 'lineage:' || c.lineage_id as root,
      array(select m.tracker_id from app.members m
        where m.user_id = c.user_id
          and (c.access_mode <> 'selected' or m.tracker_id = any (c.tracker_ids))
          and (not reach.only_managed or m.role in ('owner', 'admin'))
        order by m.created_at, m.tracker_id) as eligible, reach.only_managed
    into v_caller
    from app.credentials c
      cross join lateral (
        select c.access_mode = 'all_managed' or c.access_mode = 'selected' and c.kind = 'secure' as only_managed) reach
    where c.secret_sha256 = p_secret_sha256;
  else
    if p_is_write and p_session_id is not null then
      v_locked := pg_advisory_xact_lock_shared(hashtextextended(p_session_id::text, 1)) is null;
    end if;
    select u.id as user_id, null::uuid as credential_id, null::text as kind,
      coalesce(u.display_name, u.email, u.id::text) as name, null::text[] as scopes, u.active_tracker_id, u.default_tracker_id,
      null::timestamptz as expires_at, null::boolean as is_expired, false as is_revoked,
      case when p_session_id is not null then exists (
        select 1 from identity.sessions s
        where s.id = p_session_id and s.user_id = u.id and s.ended_at is null and s.expires_at > clock_timestamp())
      end as session_active,
      'user:' || u.id as root,
      array(select m.tracker_id from app.members m where m.user_id = u.id order by m.created_at, m.tracker_id) as eligible,
      false as only_managed
    into v_caller
    from app.users u
    where u.issuer = p_issuer and u.subject = p_subject;
  end if;

  if v_caller.user_id is null then
    return null;
  end if;

  -- A credential or session that is no longer valid gets no context: statements that were sent in the same batch find no row.
  -- A check that does not apply to this caller is null, and refuses nothing.
  if v_caller.is_expired or v_caller.is_revoked or not v_caller.session_active then
    v_caller.eligible := '{}';
  else
    v_chosen_id := coalesce(v_caller.active_tracker_id, v_caller.default_tracker_id);

    if p_tracker_id is not null then
      v_tracker_id := case when p_tracker_id = any (v_caller.eligible) then p_tracker_id end;
      v_resolved_by := 'header';
    elsif v_caller.kind is distinct from 'secure' and v_chosen_id is not null then
      -- As in version 1: the chosen tracker or none, and never another one instead.
      v_tracker_id := case when v_chosen_id = any (v_caller.eligible) then v_chosen_id end;
      v_resolved_by := case when v_caller.active_tracker_id is not null then 'active' else 'default' end;
    elsif cardinality(v_caller.eligible) = 1 then
      v_tracker_id := v_caller.eligible[1];
      v_resolved_by := 'single';
    end if;

    if v_tracker_id is not null then
      if p_is_write then
        v_locked := pg_advisory_xact_lock_shared(hashtextextended(v_tracker_id || ' ' || v_caller.user_id, 2)) is null;
      end if;
      select t.id, t.name, m.role, t.currency_code, t.time_zone, floor(extract(epoch from now()) * 1000)::bigint as now_ms,
        v_resolved_by as resolved_by
      into v_tracker
      from app.trackers t join app.members m on m.tracker_id = t.id
      where t.id = v_tracker_id and m.user_id = v_caller.user_id
        and (not v_caller.only_managed or m.role in ('owner', 'admin'));
      if not found then
        v_caller.eligible := array_remove(v_caller.eligible, v_tracker_id);
        v_tracker_id := null;
      end if;
    end if;

    v_set := app.set_context(v_caller.user_id, v_tracker_id, v_caller.root);

    if v_tracker_id is not null and p_idempotency_key is not null then
      -- The lock is only tried, because a wait would occupy a connection. The stored answers are read after the lock, so that its
      -- holder sees the answer that a duplicate stored before.
      v_key_locked := pg_try_advisory_xact_lock(hashtextextended(v_caller.root || ' ' || p_idempotency_key, 3));
      v_keys := app.stored_answers(v_caller.root, p_idempotency_key);
    end if;
  end if;

  -- PostgreSQL converts a whole record to JSON faster than it builds an object field by field.
  return json_build_object('caller', v_caller, 'tracker', case when v_tracker_id is not null then v_tracker end,
    'storedAnswers', coalesce(v_keys, '[]'), 'keyLocked', v_key_locked);
end
$$;

-- Sets the context on a read replica, for a caller whom the primary has authenticated. Returns false and sets no context, unless the
-- replica has replayed the write-ahead log up to p_read_after and has the membership. It always returns false on a server that replays no
-- log, such as a primary, because there is no position to compare with p_read_after. It also always returns false with Citus, because other
-- machines store the rows and have their own logs.
create function app.enter_replica(p_user_id uuid, p_tracker_id uuid, p_principal_root text, p_read_after pg_lsn) returns boolean
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limits text;
begin
  v_limits := set_config('lock_timeout', '2s', true) || set_config('statement_timeout', '3s', true)
    || set_config('idle_in_transaction_session_timeout', '10s', true);
  if pg_is_in_recovery() and pg_last_wal_replay_lsn() >= p_read_after
    and exists (select from app.members m where m.tracker_id = p_tracker_id and m.user_id = p_user_id)
    and not exists (select from pg_extension where extname = 'citus')
  then
    return app.set_context(p_user_id, p_tracker_id, p_principal_root);
  end if;
  return false;
end
$$;

-- Returns the stored responses of one principal under one key, in all trackers, or null if there are none.
create function app.stored_answers(p_principal_root text, p_key text) returns json
language sql stable
set search_path = pg_catalog, pg_temp
-- PostgreSQL keeps the plan that it makes while the table is small, until it analyzes the table again. A sequential scan would then
-- cost more with every key.
set enable_seqscan = off
as $$
  select json_agg(json_build_object('trackerId', k.tracker_id, 'trackerExplicit', k.tracker_explicit,
    'fingerprint', encode(k.fingerprint, 'hex'), 'requestId', k.request_id, 'etag', k.etag, 'data', k.data))
  from app.idempotency_keys k
  where k.principal_root = p_principal_root and k.key = p_key
$$;

-- Every request calls this after its context is set. On one machine it does nothing. `centavo-server shard` replaces the body with a body
-- that sends the context to the other machines, because set_config() does not reach them.
create function app.carry_context() returns void
language plpgsql volatile
as $$
begin
end
$$;

alter function app.enter_request(bytea, text, text, uuid, uuid, boolean, text) owner to centavo_definer;
alter function app.enter_replica(uuid, uuid, text, pg_lsn) owner to centavo_definer;
revoke all on function app.set_context(uuid, uuid, text), app.enter_request(bytea, text, text, uuid, uuid, boolean, text),
  app.enter_replica(uuid, uuid, text, pg_lsn), app.stored_answers(text, text), app.carry_context() from public;
grant execute on function app.enter_request(bytea, text, text, uuid, uuid, boolean, text),
  app.enter_replica(uuid, uuid, text, pg_lsn) to centavo_app;
grant execute on function app.set_context(uuid, uuid, text), app.stored_answers(text, text) to centavo_definer;
grant execute on function app.carry_context() to centavo_app, centavo_definer;

revoke create on schema app from centavo_definer;
