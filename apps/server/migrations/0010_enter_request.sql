-- Enters a request: authenticates, resolves the tracker, sets the transaction's context and looks the idempotency key up,
-- in one round trip. It reports facts; which error they make is decided in the server's access/ room.
-- Volatile, because each of its statements must see what was committed while it waited for a lock.
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
  v_credential app.credentials;
  v_user app.users;
  v_session_active boolean;
  v_mode text := 'all_memberships';
  v_active uuid;
  v_chosen uuid;
  v_eligible uuid[];
  v_tracker_id uuid;
  v_resolved_by text;
  v_root text;
  v_tracker json;
  v_keys json;
  v_key_locked boolean;
begin
  -- A stuck statement must not outlive the answer; all of these end with the transaction.
  perform set_config('lock_timeout', '2s', true), set_config('statement_timeout', '4s', true),
    set_config('idle_in_transaction_session_timeout', '10s', true);

  -- Who a write commits for must not lose the right before it commits: revoking takes these locks exclusively.
  if p_secret_sha256 is not null then
    if p_is_write then
      perform pg_advisory_xact_lock_shared(hashtextextended(encode(p_secret_sha256, 'hex'), 1));
    end if;
    select * into v_credential from app.credentials where secret_sha256 = p_secret_sha256;
    select * into v_user from app.users where id = v_credential.user_id;
    v_mode := v_credential.access_mode;
    v_root := 'lineage:' || v_credential.lineage_id;
    v_active := v_credential.active_tracker_id;
    v_chosen := coalesce(v_active, v_credential.default_tracker_id);
  else
    if p_is_write and p_session_id is not null then
      perform pg_advisory_xact_lock_shared(hashtextextended(p_session_id::text, 1));
    end if;
    select * into v_user from app.users where issuer = p_issuer and subject = p_subject;
    if p_session_id is not null then
      v_session_active := exists (
        select 1 from identity.sessions s
        where s.id = p_session_id and s.user_id = v_user.id and s.ended_at is null and s.expires_at > clock_timestamp());
    end if;
    v_root := 'user:' || v_user.id;
    v_active := v_user.active_tracker_id;
    v_chosen := coalesce(v_active, v_user.default_tracker_id);
  end if;

  if v_user.id is null then
    return json_build_object('user', null);
  end if;

  if p_is_write then
    perform pg_advisory_xact_lock_shared(hashtextextended(v_user.id::text, 2));
  end if;

  select array_agg(m.tracker_id order by m.created_at, m.tracker_id) into v_eligible
  from app.members m
  where m.user_id = v_user.id
    and case v_mode
      when 'all_memberships' then true
      when 'all_managed' then m.role in ('owner', 'admin')
      else m.tracker_id = any (v_credential.tracker_ids)
        and (v_credential.kind <> 'secure' or m.role in ('owner', 'admin'))
    end;
  v_eligible := coalesce(v_eligible, '{}');

  if p_tracker_id is not null then
    v_tracker_id := case when p_tracker_id = any (v_eligible) then p_tracker_id end;
    v_resolved_by := 'header';
  elsif v_credential.kind is distinct from 'secure' and v_chosen is not null then
    -- The v1 behaviour: what was chosen, or nothing; never silently another tracker.
    v_tracker_id := case when v_chosen = any (v_eligible) then v_chosen end;
    v_resolved_by := case when v_active is not null then 'active' else 'default' end;
  elsif cardinality(v_eligible) = 1 then
    v_tracker_id := v_eligible[1];
    v_resolved_by := 'single';
  end if;

  perform set_config('app.user_id', v_user.id::text, true),
    set_config('app.tracker_id', coalesce(v_tracker_id::text, ''), true),
    set_config('app.principal_root', v_root, true);

  if v_tracker_id is not null then
    select json_build_object('id', t.id, 'name', t.name, 'role', m.role, 'currencyCode', t.currency_code,
      'timeZone', t.time_zone, 'nowMs', floor(extract(epoch from now()) * 1000)::bigint, 'resolvedBy', v_resolved_by)
    into v_tracker
    from app.trackers t join app.members m on m.tracker_id = t.id and m.user_id = v_user.id
    where t.id = v_tracker_id;

    if p_idempotency_key is not null then
      v_keys := app.stored_answers(v_root, p_idempotency_key);
      if v_keys is null then
        -- Tried, never waited for: a connection that waits for a twin is a connection that others lack.
        v_key_locked := pg_try_advisory_xact_lock(hashtextextended(v_root || ' ' || p_idempotency_key, 3));
        if v_key_locked then
          v_keys := app.stored_answers(v_root, p_idempotency_key);
        end if;
      end if;
    end if;
  end if;

  return json_build_object(
    'user', json_build_object('id', v_user.id, 'email', v_user.email, 'displayName', v_user.display_name,
      'activeTrackerId', v_user.active_tracker_id, 'defaultTrackerId', v_user.default_tracker_id),
    'sessionActive', v_session_active,
    'credential', case when v_credential.id is not null then json_build_object(
      'id', v_credential.id, 'kind', v_credential.kind, 'name', v_credential.name, 'scopes', v_credential.scopes,
      'activeTrackerId', v_credential.active_tracker_id, 'defaultTrackerId', v_credential.default_tracker_id,
      'expiresAt', to_char(v_credential.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'isExpired', v_credential.expires_at <= clock_timestamp(), 'isRevoked', v_credential.revoked_at is not null) end,
    'principalRoot', v_root,
    'eligibleTrackerIds', v_eligible,
    'chosenTrackerId', v_chosen,
    'tracker', v_tracker,
    'storedAnswers', coalesce(v_keys, '[]'),
    'keyLocked', v_key_locked);
end
$$;

-- The stored answers under one key of one principal, in every tracker, or null where there is none.
create function app.stored_answers(p_principal_root text, p_key text) returns json
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select json_agg(json_build_object('trackerId', k.tracker_id, 'trackerExplicit', k.tracker_explicit,
    'fingerprint', encode(k.fingerprint, 'hex'), 'requestId', k.request_id, 'etag', k.etag, 'data', k.data))
  from app.idempotency_keys k
  where k.principal_root = p_principal_root and k.key = p_key
$$;

alter function app.enter_request(bytea, text, text, uuid, uuid, boolean, text) owner to centavo_definer;
revoke all on function app.enter_request(bytea, text, text, uuid, uuid, boolean, text), app.stored_answers(text, text)
  from public;
grant execute on function app.enter_request(bytea, text, text, uuid, uuid, boolean, text) to centavo_app;
grant execute on function app.stored_answers(text, text) to centavo_definer;

revoke create on schema app from centavo_definer;
